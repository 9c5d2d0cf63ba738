//! The settings of accounts, with the reason for each default. Opens nothing.

use rookery_core::time::Millis;
use serde::{Deserialize, Serialize};

use crate::config::SettingsGroup;

/// Sign-up, passwords, sessions, programs' tokens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AccountsConfig {
    /// Whether anyone may make an account over the network.
    pub signup: bool,
    /// Whether guests may play (casual games).
    pub guests: bool,

    /// KiB that one password hash fills: the first choice of OWASP's list for argon2id, 19 MiB…
    pub hash_memory_kib: u32,
    /// …and two passes. About 30 ms of one core.
    pub hash_passes: u32,
    /// Hashes at once: more would take cores from the clocks of running games.
    pub hashes_at_once: usize,
    /// Who may wait for one; beyond it the answer is `busy`. At 30 ms each the last waits 2 s.
    pub hashes_waiting: usize,

    /// Days a ticket lasts. Each `hello` gives a fresh one, so only an unused session ends by it.
    pub ticket_days: u32,
    /// Sessions of one account; the one unused for longest makes room for a new one.
    pub sessions_per_account: u32,
    /// Tokens of one account.
    pub tokens_per_account: u32,

    /// Wrong passwords for one account at once, before they are slowed down.
    pub login_burst: u32,
    /// Time after which one more may be tried.
    pub login_refill_ms: Millis,
    /// Tries of one address (IPv6: one /64) at once, whatever the account: whole schools sit behind one.
    pub login_burst_per_address: u32,
    /// Time after which it may try once more.
    pub login_refill_per_address_ms: Millis,
    /// Accounts one address may make at once.
    pub signup_burst: u32,
    /// Time after which it may make one more.
    pub signup_refill_ms: Millis,
    /// Guests one address may bring at once: they cost a signature and no row.
    pub guest_burst: u32,
    /// Time after which it may bring one more.
    pub guest_refill_ms: Millis,
}

impl Default for AccountsConfig {
    fn default() -> AccountsConfig {
        AccountsConfig {
            signup: true,
            guests: true,
            hash_memory_kib: 19 * 1024,
            hash_passes: 2,
            hashes_at_once: 1,
            hashes_waiting: 64,
            ticket_days: 30,
            sessions_per_account: 32,
            tokens_per_account: 32,
            login_burst: 10,
            login_refill_ms: Millis::from_secs(30),
            login_burst_per_address: 60,
            login_refill_per_address_ms: Millis::from_secs(2),
            signup_burst: 20,
            signup_refill_ms: Millis::from_secs(10),
            guest_burst: 200,
            guest_refill_ms: Millis(100),
        }
    }
}

/// What argon2 can do with one lane: 8 blocks of 1 KiB are its least, and more than 1 GiB is a typing error.
const MEMORY_KIB: std::ops::RangeInclusive<u32> = 8..=1024 * 1024;

/// More passes than this take seconds.
const PASSES: std::ops::RangeInclusive<u32> = 1..=64;

/// A ticket for longer than this could as well be a password.
const TICKET_DAYS: std::ops::RangeInclusive<u32> = 1..=400;

impl SettingsGroup for AccountsConfig {
    fn problems(&self) -> Vec<(&'static str, String)> {
        let ranges = [
            ("hash_memory_kib", self.hash_memory_kib, MEMORY_KIB),
            ("hash_passes", self.hash_passes, PASSES),
            ("ticket_days", self.ticket_days, TICKET_DAYS),
        ];
        let outside = ranges
            .into_iter()
            .filter(|(_, value, range)| !range.contains(value))
            .map(|(key, _, range)| {
                let (least, most) = range.into_inner();
                (key, format!("must be from {least} to {most}"))
            });
        let zeros = [
            ("hashes_at_once", self.hashes_at_once == 0),
            ("sessions_per_account", self.sessions_per_account == 0),
            ("login_burst", self.login_burst == 0),
            ("login_burst_per_address", self.login_burst_per_address == 0),
            ("signup_burst", self.signup_burst == 0),
            ("guest_burst", self.guest_burst == 0),
        ];
        let zero = zeros
            .into_iter()
            .filter(|(_, zero)| *zero)
            .map(|(key, _)| (key, "must not be 0".to_owned()));
        outside.chain(zero).collect()
    }
}
