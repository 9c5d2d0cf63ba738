//! Rulings as tables: `scenarios/*.txt`, one line an action, the ruling last. Adding a case is adding
//! lines. `table` reads them, `check` plays them on one game and compares.
//!
//! ```text
//! # O-1 (10.7) offer with the move, accepted        a new case
//! game classic 900                                  profile, time control; then any of: casual, lag,
//!                                                   first SECONDS, grace SECONDS, delay SECONDS, from FEN
//! clocks 301.001 600                                both clocks, when they are not at the base
//! 1.000 white e2e4 offer                            seconds, who, what; done unless `=> RULING` follows
//! 2.000 black claim threefold e7e5 => claim_wrong   or claim_right, flag_fallen, or a refusal
//! 2.500 white accept id 1 ply 3 lag 0.200           with another key, ply or measured lag
//! 3.000 black gone | back | lost                    presence; lost is our fault
//! 4.000 stall 0.400                                 the server was slow for so long
//! 5.000 wait                                        deadlines up to here pass
//! 6.000 restart 5.500                               recovered from the record, alive until then
//! => playing, white 14:59.000, black 5:00.000 runs, offer white
//! ```

mod play;

use play::{check, refusals_in};
use rookery_core::game::{MAX_PROPOSALS, Refusal};

const RULINGS: &str = include_str!("scenarios/rulings.txt");
const OFFERS: &str = include_str!("scenarios/offers.txt");
const DRAWS: &str = include_str!("scenarios/draws.txt");
const CLOCKS: &str = include_str!("scenarios/clocks.txt");
const LEAVING: &str = include_str!("scenarios/leaving.txt");
const RECOVERY: &str = include_str!("scenarios/recovery.txt");
const REPEATS: &str = include_str!("scenarios/repeats.txt");

#[test]
fn rulings() {
    check(RULINGS);
}

#[test]
fn offers() {
    check(OFFERS);
}

#[test]
fn claims_and_automatic_draws() {
    check(DRAWS);
}

#[test]
fn clocks_and_lag() {
    check(CLOCKS);
}

#[test]
fn leaving_and_taking_back() {
    check(LEAVING);
}

#[test]
fn absence_and_recovery() {
    check(RECOVERY);
}

#[test]
fn repeats_and_refusals() {
    check(REPEATS);
}

/// Takebacks proposed and declined until no more may be, then the same for an offer.
fn too_many_proposals() -> String {
    let once = "1.000 white takeback\n1.000 black takeback decline\n";
    format!(
        "# the bound on proposals\ngame classic 60 casual\n1.000 white e2e4\n{}\
         1.000 white takeback => too_many_proposals\n1.000 black offer => too_many_proposals\n\
         1.000 black e7e5 offer\n1.000 white accept\n\
         => 1/2-1/2 agreement, white 0:59.000, black 1:00.000\n",
        once.repeat(MAX_PROPOSALS as usize)
    )
}

#[test]
fn proposals_are_bounded() {
    check(&too_many_proposals());
}

#[test]
fn every_refusal_is_reachable() {
    let tables = [RULINGS, OFFERS, DRAWS, CLOCKS, LEAVING, RECOVERY, REPEATS];
    let all = tables.concat() + &too_many_proposals();
    assert_eq!(refusals_in(&all), Refusal::ALL);
}
