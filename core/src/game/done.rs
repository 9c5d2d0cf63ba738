//! Which commands were done, so that each is done once and answered each time. Knows only keys; that a
//! claim is ruled once whatever its key is the business of `claims`.

use crate::game::event::Asked;
use crate::game::{By, Command, Ending, Event, Outcome, Refusal, Ruling, What};
use crate::id::{BySeat, CommandId};

/// The commands of both players that were done, in the order of their keys. As many as the record has
/// events at most.
#[derive(Clone, Debug, Default)]
pub(super) struct Done {
    by_seat: BySeat<Vec<(CommandId, Asked, Ruling)>>,
}

impl Done {
    /// The ruling on a command that was done before; none for a new one.
    pub(super) fn ruling(&self, command: &Command) -> Result<Option<Ruling>, Refusal> {
        let done = &self.by_seat[command.seat];
        let Ok(index) = done.binary_search_by_key(&command.id, |&(id, ..)| id) else {
            return Ok(None);
        };
        let (_, asked, ruling) = done[index];
        if (asked.ply, asked.act) == (command.ply, command.act) {
            Ok(Some(ruling))
        } else {
            Err(Refusal::IdReused)
        }
    }

    /// Notes the command that caused an event, which happened to a game of `ply` half-moves.
    pub(super) fn note(&mut self, event: &Event, ply: u32) {
        let Some(By { seat, id, asked }) = event.by else {
            return;
        };
        let told = || event.what.told_act().map(|act| Asked { ply, act });
        let Some(asked) = asked.or_else(told) else {
            return;
        };
        let done = &mut self.by_seat[seat];
        // Clients count their keys up, so the place is nearly always the end. A key that is there
        // already had its ruling from the first event it caused.
        if let Err(place) = done.binary_search_by_key(&id, |&(id, ..)| id) {
            done.insert(place, (id, asked, ruling_of(&event.what)));
        }
    }
}

fn ruling_of(what: &What) -> Ruling {
    match what {
        What::Claimed { right: true, .. } => Ruling::ClaimRight,
        What::Claimed { right: false, .. } => Ruling::ClaimWrong,
        What::Ended {
            outcome:
                Outcome {
                    ending: Ending::Time | Ending::NoFirstMove,
                    ..
                },
            ..
        } => Ruling::FlagFallen,
        _ => Ruling::Done,
    }
}
