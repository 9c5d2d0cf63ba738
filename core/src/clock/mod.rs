//! Time controls, the chess clock and the lag bank. Knows no position and reads no time.

mod control;

pub use control::{Bonus, MAX_STAGES, ParseControlError, Stage, TimeControl};

use serde::{Deserialize, Serialize};

use crate::time::Millis;

/// What a seat's lag bank holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BankReading(pub Millis);
