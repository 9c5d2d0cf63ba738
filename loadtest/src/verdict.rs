//! Whether a finished game is the one that was meant: the judge over what both clients saw and what the
//! server exports. Knows the script, and no socket but for fetching the export.

use rookery_core::board::Board;
use rookery_core::notation::pgn;
use rookery_protocol::{Event, GameState, Outcome};

use crate::client::{ClientError, Record, Table, Target};
use crate::clocks::{self, ClockFault, Outage};
use crate::script::Script;

/// A game that is not what it should be.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The file's game cannot be played.
    #[error("the file: {0}")]
    Script(#[from] crate::script::ScriptError),
    /// The server or the wire failed.
    #[error("{doing}: {source}")]
    Client {
        /// What was being done.
        doing: String,
        /// What went wrong.
        source: ClientError,
    },
    /// A move has another name than it should.
    #[error("half-move {ply} is {is:?} and should be {wanted:?}")]
    Move {
        /// Which, from 1.
        ply: usize,
        /// What a client saw.
        is: Option<String>,
        /// What the file says.
        wanted: Option<String>,
    },
    /// A clock is wrong.
    #[error("clock: {0}")]
    Clock(#[from] ClockFault),
    /// The two clients saw different games.
    #[error("the clients saw different events from number {0} on")]
    Differ(usize),
    /// The game ended otherwise.
    #[error("{whose} says {is:?} and it should be {wanted:?}")]
    Outcome {
        /// Who says so.
        whose: &'static str,
        /// What it says.
        is: Option<Outcome>,
        /// What the file says.
        wanted: Outcome,
    },
    /// The last position is another one.
    #[error("{whose} stands at {is} and should at {wanted}")]
    Position {
        /// Whose.
        whose: &'static str,
        /// What it is.
        is: String,
        /// What it should be.
        wanted: String,
    },
    /// The exported game is another one.
    #[error("the exported PGN: {0}")]
    Export(String),
    /// Something acknowledged is not in the record.
    #[error("lost: {0}")]
    Lost(String),
}

/// Names what was being done when a client failed.
pub fn doing(what: impl Into<String>) -> impl FnOnce(ClientError) -> Fault {
    move |source| Fault::Client {
        doing: what.into(),
        source,
    }
}

/// Judges a finished game: at both clients, and in what the server keeps of it.
pub async fn judge(
    table: &mut Table,
    script: &Script,
    target: &Target,
    outages: &[Outage],
) -> Result<(), Fault> {
    let [white, black] = table.records();
    same_events(white, black)?;
    for record in [white, black] {
        moves(record, script)?;
        position(
            "a client's board",
            board_of(record.events(), script)?,
            script,
        )?;
        outcome("a client", record.outcome(), script)?;
        clocks::check(record.events(), outages)?;
    }
    let game = table.game;
    let (white, black) = tokio::join!(table.white.state(game), table.black.state(game));
    for told in [white, black] {
        state(&told.map_err(doing("asking for the final state"))?, script)?;
    }
    export(table, script, target).await
}

/// Two clients must have seen the same events, each of them all.
pub fn same_events(one: &Record, other: &Record) -> Result<(), Fault> {
    let pairs = one.events().iter().zip(other.events());
    match pairs.enumerate().find(|(_, (a, b))| a != b) {
        Some((at, _)) => Err(Fault::Differ(at)),
        None if one.next() != other.next() => {
            Err(Fault::Differ(one.next().min(other.next()) as usize))
        }
        None => Ok(()),
    }
}

fn moves(record: &Record, script: &Script) -> Result<(), Fault> {
    let seen: Vec<&str> = record
        .events()
        .iter()
        .filter_map(|event| match event {
            Event::Moved(moved) => Some(moved.san.as_str()),
            _ => None,
        })
        .collect();
    let wanted: Vec<&str> = script.plies.iter().map(|ply| ply.san.as_str()).collect();
    let most = seen.len().max(wanted.len());
    match (0..most).find(|&at| seen.get(at) != wanted.get(at)) {
        None => Ok(()),
        Some(at) => Err(Fault::Move {
            ply: at + 1,
            is: seen.get(at).map(|san| (*san).to_owned()),
            wanted: wanted.get(at).map(|san| (*san).to_owned()),
        }),
    }
}

/// The position that the moves of a record lead to.
fn board_of(events: &[Event], script: &Script) -> Result<String, Fault> {
    let start = script.start_fen.as_deref().map(Board::from_fen);
    let mut board = start.and_then(Result::ok).unwrap_or_default();
    for (at, event) in events.iter().enumerate() {
        let Event::Moved(moved) = event else { continue };
        let uci = moved.uci.as_str().parse().ok();
        let Some(mv) = uci.and_then(|uci| board.legal(uci)) else {
            return Err(Fault::Lost(format!(
                "event {at} is no legal move: {}",
                moved.uci
            )));
        };
        board.play(mv);
    }
    Ok(board.fen())
}

fn state(state: &GameState, script: &Script) -> Result<(), Fault> {
    position("the state", state.fen.as_str().to_owned(), script)?;
    outcome("the state", state.outcome, script)
}

fn position(whose: &'static str, is: String, script: &Script) -> Result<(), Fault> {
    if is == script.fen {
        return Ok(());
    }
    Err(Fault::Position {
        whose,
        is,
        wanted: script.fen.clone(),
    })
}

fn outcome(whose: &'static str, is: Option<Outcome>, script: &Script) -> Result<(), Fault> {
    if is == Some(script.outcome) {
        return Ok(());
    }
    Err(Fault::Outcome {
        whose,
        is,
        wanted: script.outcome,
    })
}

/// The export must parse, and be the same game.
async fn export(table: &Table, script: &Script, target: &Target) -> Result<(), Fault> {
    let path = format!("/api/v1/games/{}.pgn", table.game);
    let answer = target.http().get(&path).await;
    let answer = answer.map_err(|error| doing("exporting")(error.into()))?;
    if !answer.status.is_success() {
        return Err(Fault::Export(format!("{path} answered {}", answer.status)));
    }
    let games = pgn::parse(&answer.body).map_err(|error| Fault::Export(error.to_string()))?;
    let [game] = games.as_slice() else {
        return Err(Fault::Export(format!("it holds {} games", games.len())));
    };
    let exported =
        Script::of(script.number, game).map_err(|error| Fault::Export(error.to_string()))?;
    if exported == *script {
        return Ok(());
    }
    let told = |script: &Script| {
        format!(
            "{} half-moves, {:?}, {:?}, {}",
            script.plies.len(),
            script.finish,
            script.outcome,
            script.fen
        )
    };
    Err(Fault::Export(format!(
        "it tells of {} and not of {}",
        told(&exported),
        told(script)
    )))
}
