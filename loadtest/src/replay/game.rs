//! One game of a script, from two fresh guests to the verdict.

use std::time::Duration;

use rookery_protocol::{GameId, Seat};

use crate::client::{Act, ClientError, Patience, Table, Target, Wish};
use crate::script::{Finish, Script};
use crate::verdict::{Fault, doing, judge};

/// The clocks of replayed games, in turn: every kind of time control is met in a file of four games.
/// All are long enough that no flag falls by accident on a slow machine.
const CLOCKS: [&str; 4] = ["300+2", "600", "300d3", "20/300+1:20/300+1:300"];

/// What a flag game gives each side for its moves and then for letting the flag fall, in seconds: a
/// base, and something a move for machines where a move takes a while.
const FLAG_BASE_S: usize = 5;
const FLAG_MOVES_PER_S: usize = 10;

/// How long both clients may take to hear of something that has been acknowledged.
const NEWS: Duration = Duration::from_secs(30);

/// How long players think.
pub trait Pace {
    /// Before the next move.
    fn think(&mut self) -> Duration;
}

/// No thinking at all.
struct Blitz;

impl Pace for Blitz {
    fn think(&mut self) -> Duration {
        Duration::ZERO
    }
}

/// Plays a script between two fresh guests and judges the game.
pub(super) async fn replay(
    target: &Target,
    script: &Script,
) -> (Option<GameId>, Result<(), Fault>) {
    let sat_down = async {
        let mut wish = Wish::casual(&clock(script))?;
        wish.start_fen = script.start_fen.as_deref().and_then(|fen| fen.parse().ok());
        Table::of_guests(target, &wish, Patience::default()).await
    };
    let mut table = match sat_down.await {
        Ok(table) => table,
        Err(source) => return (None, Err(doing("sitting down")(source))),
    };
    let game = table.game;
    let played = async {
        play(&mut table, script, &mut Blitz).await?;
        judge(&mut table, script, target, &[]).await
    };
    let played = played.await;
    table.leave().await;
    (Some(game), played)
}

fn clock(script: &Script) -> String {
    match script.finish {
        Finish::Flag => (FLAG_BASE_S + script.plies.len() / 2 / FLAG_MOVES_PER_S).to_string(),
        _ => CLOCKS[script.number % CLOCKS.len()].to_owned(),
    }
}

/// Plays a script at a table, to its end.
pub async fn play(table: &mut Table, script: &Script, pace: &mut impl Pace) -> Result<(), Fault> {
    let mut seat = first_to_move(script);
    let last = script.plies.len();
    for (index, ply) in script.plies.iter().enumerate() {
        let what = || format!("half-move {} ({})", index + 1, ply.san);
        let offer = script.finish == Finish::Agreement && index + 1 == last;
        table.idle(pace.think()).await.map_err(doing(what()))?;
        table
            .ask(seat, Act::Move(ply.uci, offer))
            .await
            .map_err(doing(what()))?;
        let made = index as u32 + 1;
        let heard = table
            .until("the move", NEWS, |record| record.ply() == made)
            .await;
        heard.map_err(doing(what()))?;
        seat = seat.other();
    }
    end(table, script, seat)
        .await
        .map_err(doing(format!("ending by {:?}", script.finish)))
}

/// Ends the game; `seat` is on move.
async fn end(table: &mut Table, script: &Script, seat: Seat) -> Result<(), ClientError> {
    let last_act = match script.finish {
        Finish::OnTheBoard | Finish::Flag => None,
        Finish::Claim(rule) => Some((seat, Act::Claim(rule, None))),
        Finish::Agreement => Some((seat, Act::Accept)),
        Finish::Resignation(loser) => Some((loser, Act::Resign)),
        Finish::Abort => Some((seat, Act::Abort)),
    };
    let mut patience = NEWS;
    if let Some((seat, act)) = last_act {
        table.ask(seat, act).await?;
    } else if let Some(clock) = table.record(seat).clock() {
        patience += Duration::from_millis(clock.of(seat));
    }
    table
        .until("the end of the game", patience, |record| {
            record.outcome().is_some()
        })
        .await
}

fn first_to_move(script: &Script) -> Seat {
    let black = script
        .start_fen
        .as_deref()
        .is_some_and(|fen| fen.contains(" b "));
    if black { Seat::Black } else { Seat::White }
}
