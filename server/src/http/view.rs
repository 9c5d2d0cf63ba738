//! What the REST interface shows and takes, as JSON. Times are Unix milliseconds, ids are texts of 22
//! characters; players, terms and outcomes are shown as on the socket.

use rookery_protocol as wire;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accounts::{Entered, TokenScope};
use crate::gateway::Identity;
use crate::stores::archive::{AccountRow, GameRow, PlayerRow, SessionRow, TokenRow};
use crate::translate::{game_to_wire, identity, outcome, player_to_wire};

/// A name and its password.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NameAndPassword {
    /// 2 to 20 characters of `[0-9A-Za-z_-]`, a letter or digit first; compared without regard to case.
    pub(super) name: String,
    /// 8 characters to 256 bytes.
    pub(super) password: String,
}

/// Nothing.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// Somebody who came in.
#[derive(Serialize, JsonSchema)]
pub(super) struct EnteredView {
    /// Who.
    you: wire::Identity,
    /// What `auth` of `hello` and the header `authorization: Bearer` say.
    ticket: String,
    /// Until when it holds; each `hello` and each `POST /ticket` gives a fresh one.
    expires_at: u64,
}

/// An account.
#[derive(Serialize, JsonSchema)]
pub(super) struct AccountView {
    /// Who.
    #[serde(flatten)]
    who: wire::Identity,
    /// Since when; absent for guests.
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<u64>,
}

/// Another player.
#[derive(Serialize, JsonSchema)]
pub(super) struct PlayerView {
    /// Who.
    #[serde(flatten)]
    account: AccountView,
    /// Whether he is there.
    online: bool,
}

/// Another password.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PasswordChange {
    /// The password of now.
    pub(super) present: String,
    /// The one from here on.
    pub(super) new: String,
}

/// The password once more, to confirm.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Confirmation {
    /// The password of now.
    pub(super) password: String,
}

/// The sessions of an account.
#[derive(Serialize, JsonSchema)]
pub(super) struct SessionsView {
    /// The one used last first.
    pub(super) sessions: Vec<SessionView>,
}

/// A session.
#[derive(Serialize, JsonSchema)]
pub(super) struct SessionView {
    /// Its number.
    id: i64,
    /// What opened it, as the client said.
    label: String,
    /// Whether it is the one that asks.
    current: bool,
    /// When it was opened.
    created_at: u64,
    /// When it was used last.
    used_at: u64,
}

/// The tokens of an account.
#[derive(Serialize, JsonSchema)]
pub(super) struct TokensView {
    /// The newest first.
    pub(super) tokens: Vec<TokenView>,
}

/// A program's token. Its text is not kept.
#[derive(Serialize, JsonSchema)]
pub(super) struct TokenView {
    /// Its number.
    id: i64,
    /// What its owner calls it.
    label: String,
    /// What it allows, words with spaces between.
    scopes: String,
    /// When it was made.
    created_at: u64,
    /// When it was used last.
    #[serde(skip_serializing_if = "Option::is_none")]
    used_at: Option<u64>,
}

/// A token to be made.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewTokenAsk {
    /// What to call it: 1 to 64 characters.
    pub(super) label: String,
    /// What it allows.
    pub(super) scopes: Vec<TokenScope>,
}

/// A token just made.
#[derive(Serialize, JsonSchema)]
pub(super) struct MadeTokenView {
    /// Its number.
    pub(super) id: i64,
    /// Its text, shown this once.
    pub(super) token: String,
}

/// A game without its moves.
#[derive(Serialize, JsonSchema)]
pub(super) struct GameSummary {
    /// The game.
    pub(super) game: wire::GameId,
    /// Who plays.
    pub(super) players: wire::BySeat<wire::Player>,
    /// The clock.
    pub(super) control: String,
    /// By which Laws.
    pub(super) profile: String,
    /// Whether points and ratings are at stake.
    pub(super) rated: bool,
    /// Half-moves.
    pub(super) ply: u32,
    /// When White's clock started.
    pub(super) starts_at: u64,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ended_at: Option<u64>,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) outcome: Option<wire::Outcome>,
}

/// A page of a list of games.
#[derive(Serialize, JsonSchema)]
pub(super) struct GamesPage {
    /// The games.
    pub(super) games: Vec<GameSummary>,
    /// What `before` says to get the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<String>,
}

/// A game whole, as the socket's `game` shows it.
pub(super) type GameState = wire::GameState;

/// What came of an act in the lobby.
#[derive(Serialize, JsonSchema)]
pub(super) struct LobbyDoneView {
    /// The seek, challenge or game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<wire::GameId>,
}

impl From<Entered> for EnteredView {
    fn from(entered: Entered) -> EnteredView {
        EnteredView {
            you: identity(&entered.identity),
            ticket: entered.ticket,
            expires_at: entered.expires_at.0,
        }
    }
}

impl AccountView {
    pub(super) fn guest(who: &Identity) -> AccountView {
        AccountView {
            who: identity(who),
            created_at: None,
        }
    }
}

impl From<AccountRow> for AccountView {
    fn from(account: AccountRow) -> AccountView {
        AccountView {
            who: wire::Identity {
                id: player_to_wire(account.player),
                name: account.name,
                bot: account.bot,
                guest: false,
            },
            created_at: Some(account.created_at.0),
        }
    }
}

impl PlayerView {
    pub(super) fn new(account: AccountRow, online: bool) -> PlayerView {
        PlayerView {
            account: account.into(),
            online,
        }
    }
}

impl SessionView {
    pub(super) fn new(row: SessionRow, asking: &Identity) -> SessionView {
        SessionView {
            id: row.session.0,
            label: row.label,
            current: asking.session == Some(row.session),
            created_at: row.created_at.0,
            used_at: row.used_at.0,
        }
    }
}

impl From<TokenRow> for TokenView {
    fn from(row: TokenRow) -> TokenView {
        TokenView {
            id: row.token.0,
            label: row.label,
            scopes: row.scopes,
            created_at: row.created_at.0,
            used_at: row.used_at.map(|at| at.0),
        }
    }
}

impl From<GameRow> for GameSummary {
    fn from(row: GameRow) -> GameSummary {
        let seated = |player: PlayerRow| wire::Player {
            id: player_to_wire(player.player),
            name: player.name,
            bot: player.bot,
            guest: player.guest,
        };
        GameSummary {
            game: game_to_wire(row.game),
            players: wire::BySeat {
                white: seated(row.players.white),
                black: seated(row.players.black),
            },
            control: row.control,
            profile: row.profile,
            rated: row.rated,
            ply: row.plies,
            starts_at: row.started_at.0,
            ended_at: Some(row.ended_at.0),
            outcome: Some(outcome(row.outcome)),
        }
    }
}

impl From<wire::GameState> for GameSummary {
    fn from(state: wire::GameState) -> GameSummary {
        let profile = serde_json::to_value(state.terms.profile).ok();
        let ended_at = state.outcome.map(|_| state.at);
        GameSummary {
            game: state.game,
            players: state.players,
            control: state.terms.control.to_string(),
            profile: profile
                .and_then(|word| Some(word.as_str()?.to_owned()))
                .unwrap_or_default(),
            rated: state.terms.rated,
            ply: state.ply,
            starts_at: state.starts_at,
            ended_at,
            outcome: state.outcome,
        }
    }
}
