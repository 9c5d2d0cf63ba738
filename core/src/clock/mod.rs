//! Time controls, the chess clock and the lag bank. Knows no position and reads no time.

mod bank;
mod chess_clock;
mod control;

pub use bank::{BankReading, LagBank, MAX_CREDIT};
pub use chess_clock::{ChessClock, ClockReading};
pub use control::{Bonus, MAX_STAGE_MOVES, MAX_STAGES, ParseControlError, Stage, TimeControl};
