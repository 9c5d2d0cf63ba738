//! Programs' tokens: a text that only its owner has, and the hash of it that is kept.

use sha2::{Digest, Sha256};

use super::random::{NoChance, random_text};

/// What every token begins with, so that it is found where it should not be.
const PREFIX: &str = "rk_";

/// Characters after it: 238 bits, so that a plain hash is enough to keep it.
const CHARS: usize = 40;

pub(super) fn make() -> Result<String, NoChance> {
    Ok(format!("{PREFIX}{}", random_text(CHARS)?))
}

pub(super) fn is_token(text: &str) -> bool {
    text.starts_with(PREFIX)
}

pub(super) fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}
