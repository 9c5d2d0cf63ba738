//! Everything that is kept of an account, told as one JSON object. It is sent page by page: an old
//! account has thousands of games.

use std::collections::VecDeque;
use std::io;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use rookery_core::id::{BySeat, PlayerId};
use serde::Serialize;
use serde_json::json;

use crate::gateway::Kind;
use crate::http::api::Api;
use crate::http::caller::Caller;
use crate::http::error::{ApiError, Code};
use crate::http::view::{AccountView, SessionView, TokenView};
use crate::stores::archive::{ArchiveError, ChatLine, GameRow, GamesBefore};
use crate::translate::{game_to_wire, state_after};

/// Rows of one page.
const PAGE: u32 = 100;

pub(super) async fn export(
    State(api): State<Api>,
    Caller(who): Caller,
) -> Result<Response, ApiError> {
    if who.kind == Kind::Guest {
        return Err(Code::ScopeMissing.into());
    }
    let player = who.player;
    let accounts = api.accounts();
    let account: AccountView = accounts.account(player).await?.into();
    let sessions = accounts.sessions(player).await?.into_iter();
    let sessions: Vec<_> = sessions.map(|row| SessionView::new(row, &who)).collect();
    let tokens: Vec<_> = accounts
        .tokens(player)
        .await?
        .into_iter()
        .map(TokenView::from)
        .collect();
    let mut head =
        json!({ "account": account, "sessions": sessions, "tokens": tokens }).to_string();
    // The object stays open for what follows.
    head.truncate(head.len() - 1);
    head.push_str(",\"games\":[");
    let teller = Teller {
        api: api.clone(),
        player,
        next: Next::Games(None, true),
        ready: VecDeque::from([head]),
    };
    let body = Body::from_stream(stream::try_unfold(teller, Teller::tell));
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (
            CONTENT_DISPOSITION,
            "attachment; filename=\"rookery-account.json\"",
        ),
        (CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, body).into_response())
}

struct Teller {
    api: Api,
    player: PlayerId,
    next: Next,
    ready: VecDeque<String>,
}

/// What follows, and whether it is the first of its list.
enum Next {
    Games(Option<GamesBefore>, bool),
    Chat(Option<ChatLine>),
    Nothing,
}

impl Teller {
    async fn tell(mut self) -> io::Result<Option<(Bytes, Teller)>> {
        loop {
            if let Some(text) = self.ready.pop_front() {
                return Ok(Some((text.into(), self)));
            }
            match std::mem::replace(&mut self.next, Next::Nothing) {
                Next::Games(before, first) => self.games(before, first).await,
                Next::Chat(after) => self.chat(after).await,
                Next::Nothing => return Ok(None),
            }
            .map_err(io::Error::other)?;
        }
    }

    async fn games(
        &mut self,
        before: Option<GamesBefore>,
        first: bool,
    ) -> Result<(), ArchiveError> {
        let rows = self
            .api
            .archive()
            .games_of(self.player, before, PAGE)
            .await?;
        let Some(last) = rows.last() else {
            self.ready.push_back("],\"chat\":[".to_owned());
            self.next = Next::Chat(None);
            return Ok(());
        };
        self.next = Next::Games(
            Some(GamesBefore {
                ended_at: last.ended_at,
                game: last.game,
            }),
            false,
        );
        let mut text = String::new();
        for (number, row) in rows.iter().enumerate() {
            separate(&mut text, first && number == 0);
            text.push_str(&self.game(row).await?);
        }
        self.ready.push_back(text);
        Ok(())
    }

    async fn game(&self, row: &GameRow) -> Result<String, ArchiveError> {
        let record = self.api.archive().game(row.game).await?;
        let state = record.and_then(|record| state_after(&record.events, BySeat::default()));
        Ok(serde_json::to_string(&state).expect("a state has no fallible parts"))
    }

    async fn chat(&mut self, after: Option<ChatLine>) -> Result<(), ArchiveError> {
        let lines = self
            .api
            .archive()
            .chat_of(self.player, after.as_ref(), PAGE)
            .await?;
        if lines.is_empty() {
            self.ready.push_back("]}".to_owned());
            self.next = Next::Nothing;
            return Ok(());
        }
        self.next = Next::Chat(lines.last().cloned());
        let mut text = String::new();
        for (number, line) in lines.iter().enumerate() {
            separate(&mut text, after.is_none() && number == 0);
            let said = serde_json::to_string(&Said::from(line));
            text.push_str(&said.expect("a line has no fallible parts"));
        }
        self.ready.push_back(text);
        Ok(())
    }
}

fn separate(text: &mut String, first: bool) {
    if !first {
        text.push(',');
    }
}

/// A line of chat, as it is told.
#[derive(Serialize)]
struct Said<'a> {
    game: rookery_protocol::GameId,
    room: &'a str,
    text: &'a str,
    at: u64,
}

impl<'a> From<&'a ChatLine> for Said<'a> {
    fn from(line: &'a ChatLine) -> Said<'a> {
        Said {
            game: game_to_wire(line.game),
            room: &line.room,
            text: &line.said,
            at: line.said_at.0,
        }
    }
}
