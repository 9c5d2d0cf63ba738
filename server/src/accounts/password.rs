//! Passwords: what is accepted as one, and the slow hash of it, a few at once beside the games.

use std::sync::Arc;

use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::Semaphore;

use super::AccountsConfig;
use super::random::{NoChance, random_bytes, random_text};

/// The least length (NIST SP 800-63B, 3.1.1.2, for a password beside which nothing is asked).
const LEAST_CHARS: usize = 8;

/// Bytes of the longest: sentences fit, and hashing it costs nothing that matters.
const MOST_BYTES: usize = 256;

/// Bytes of the salt (RFC 9106, section 3.1).
const SALT_BYTES: usize = 16;

/// Why a text is no password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// Fewer than 8 characters.
    #[error("a password has at least 8 characters")]
    TooShort,
    /// More than 256 bytes.
    #[error("a password has at most 256 bytes")]
    TooLong,
    /// The name, or one character repeated.
    #[error("this password is guessed first")]
    Guessed,
}

/// Whether an account of that name may have this password. What it is made of is its owner's affair.
pub(super) fn judge(password: &str, name: &str) -> Result<(), PasswordError> {
    if password.chars().count() < LEAST_CHARS {
        return Err(PasswordError::TooShort);
    }
    if password.len() > MOST_BYTES {
        return Err(PasswordError::TooLong);
    }
    let first = password.chars().next();
    let one_character = password.chars().all(|c| Some(c) == first);
    if one_character || password.eq_ignore_ascii_case(name) {
        return Err(PasswordError::Guessed);
    }
    Ok(())
}

/// Hashes passwords. Cheap to clone.
#[derive(Clone)]
pub(super) struct Hasher {
    argon2: Argon2<'static>,
    /// The hash of a password that nobody has: an unknown name costs what a known one costs.
    nobody: Arc<str>,
    at_once: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

/// Why a password was not hashed or compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HashError {
    /// As many wait as may.
    #[error("too many passwords are being checked")]
    Busy,
    /// The system lets us down, or a stored hash is none.
    #[error("passwords cannot be checked")]
    Broken,
}

impl From<NoChance> for HashError {
    fn from(_: NoChance) -> HashError {
        HashError::Broken
    }
}

impl Hasher {
    pub(super) async fn new(config: &AccountsConfig) -> Result<Hasher, HashError> {
        let params = Params::new(config.hash_memory_kib, config.hash_passes, 1, None)
            .map_err(|_| HashError::Broken)?;
        let mut hasher = Hasher {
            argon2: Argon2::new(Algorithm::Argon2id, Version::V0x13, params),
            nobody: "".into(),
            at_once: Arc::new(Semaphore::new(config.hashes_at_once)),
            waiting: Arc::new(Semaphore::new(
                config.hashes_at_once + config.hashes_waiting,
            )),
        };
        let nobodys = random_text(SALT_BYTES)?;
        hasher.nobody = hasher.hash(&nobodys).await?.into();
        Ok(hasher)
    }

    /// The hash of a password, with a salt of its own (PHC text).
    pub(super) async fn hash(&self, password: &str) -> Result<String, HashError> {
        let (argon2, password) = (self.argon2.clone(), password.to_owned());
        let salt = random_bytes::<SALT_BYTES>()?;
        self.run(move || {
            let hash = argon2.hash_password_with_salt(password.as_bytes(), &salt);
            hash.map(|hash: argon2::password_hash::phc::PasswordHash| hash.to_string())
                .map_err(|_| HashError::Broken)
        })
        .await?
    }

    /// Whether this is the password of that hash; without one it takes as long and is not.
    pub(super) async fn verify(
        &self,
        password: &str,
        hash: Option<&str>,
    ) -> Result<bool, HashError> {
        let (argon2, password) = (self.argon2.clone(), password.to_owned());
        let known = hash.is_some();
        let hash = hash.unwrap_or(&self.nobody).to_owned();
        let right = self
            .run(move || {
                let hash = argon2::password_hash::phc::PasswordHash::new(&hash)
                    .map_err(|_| HashError::Broken)?;
                Ok::<bool, HashError>(argon2.verify_password(password.as_bytes(), &hash).is_ok())
            })
            .await??;
        Ok(right && known)
    }

    /// Does a hash on a thread for slow work, as soon as there is room among those at once.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, HashError> {
        let waiting = self.waiting.clone().try_acquire_owned();
        let waiting = waiting.map_err(|_| HashError::Busy)?;
        let running = self.at_once.clone().acquire_owned().await;
        let running = running.expect("this semaphore is never closed");
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop((waiting, running));
            done
        });
        done.await.map_err(|_| HashError::Broken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cheap() -> AccountsConfig {
        AccountsConfig {
            hash_memory_kib: 8,
            hash_passes: 1,
            ..AccountsConfig::default()
        }
    }

    #[test]
    fn passwords_are_judged() {
        let long = "é".repeat(129);
        let cases = [
            ("correct horse", Ok(())),
            ("12345678", Ok(())),
            ("        ", Err(PasswordError::Guessed)),
            ("1234567", Err(PasswordError::TooShort)),
            ("ééééééé", Err(PasswordError::TooShort)),
            (&long, Err(PasswordError::TooLong)),
            ("Ada-Lovelace", Err(PasswordError::Guessed)),
        ];
        for (password, expected) in cases {
            assert_eq!(judge(password, "ada-lovelace"), expected, "{password}");
        }
    }

    #[tokio::test]
    async fn a_hash_knows_its_password_and_no_other() {
        let hasher = Hasher::new(&cheap()).await.unwrap();
        let hash = hasher.hash("correct horse").await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{hash}");
        assert_ne!(hash, hasher.hash("correct horse").await.unwrap());
        assert_eq!(hasher.verify("correct horse", Some(&hash)).await, Ok(true));
        assert_eq!(hasher.verify("wrong horse", Some(&hash)).await, Ok(false));
        assert_eq!(hasher.verify("correct horse", None).await, Ok(false));
        assert_eq!(
            hasher.verify("x", Some("no hash")).await,
            Err(HashError::Broken)
        );
    }

    #[tokio::test]
    async fn who_finds_the_queue_full_is_told_at_once() {
        let config = AccountsConfig {
            hashes_at_once: 1,
            hashes_waiting: 1,
            ..cheap()
        };
        let hasher = Hasher::new(&config).await.unwrap();
        let waiting = hasher.waiting.clone().acquire_many_owned(2).await.unwrap();
        assert_eq!(hasher.hash("one too many").await, Err(HashError::Busy));
        drop(waiting);
        assert!(hasher.hash("now there is room").await.is_ok());
    }
}
