//! Accounts: what they hold, how one is made, changed, deleted. Over which wire it was asked for is not
//! known.

use std::net::IpAddr;
use std::sync::Arc;

use rookery_core::id::{PlayerId, ShardNo};
use rookery_core::time::{Millis, Timestamp};
use rookery_protocol::CloseCode;

use super::NoChance;
use super::password::{self, Hasher};
use super::random::{random_bytes, random_u64};
use super::revoked::Revoked;
use super::ticket::{KEY_BYTES, Signer};
use super::uses::Uses;
use super::{AccountError, AccountName, AccountsConfig, Throttle};
use crate::clock::Clock;
use crate::gateway::{Identity, SessionId, Sessions};
use crate::stores::archive::{AccountRow, Archive, NewAccount};

/// Under which name the archive keeps the key of the tickets.
const TICKET_KEY: &str = "ticket_key";

/// Characters of what a session or token is called.
pub(super) const LABEL_CHARS: usize = 64;

pub(super) type Done<T> = Result<T, AccountError>;

/// Accounts, sessions, guests, tokens. Cheap to clone.
#[derive(Clone)]
pub struct Accounts {
    pub(super) inner: Arc<Inner>,
}

pub(super) struct Inner {
    pub(super) archive: Archive,
    pub(super) clock: Clock,
    pub(super) signer: Signer,
    pub(super) revoked: Revoked,
    pub(super) uses: Uses,
    pub(super) config: AccountsConfig,
    pub(super) hasher: Hasher,
    pub(super) online: Sessions,
    pub(super) logins: Throttle<String>,
    pub(super) logins_by_address: Throttle<IpAddr>,
    pub(super) signups: Throttle<IpAddr>,
    pub(super) guests: Throttle<IpAddr>,
}

impl Accounts {
    /// The accounts of that archive; sockets of sessions that end are closed in `online`.
    pub async fn open(
        archive: Archive,
        clock: Clock,
        config: AccountsConfig,
        online: Sessions,
    ) -> Done<Accounts> {
        let key = ticket_key(&archive).await?;
        let hasher = Hasher::new(&config).await?;
        let revoked = Revoked::default();
        revoked.learn(&archive, Timestamp::default()).await?;
        Ok(Accounts {
            inner: Arc::new(Inner {
                signer: Signer::new(&key),
                revoked,
                uses: Uses::default(),
                hasher,
                online,
                logins: Throttle::new(config.login_burst, config.login_refill_ms),
                logins_by_address: Throttle::new(
                    config.login_burst_per_address,
                    config.login_refill_per_address_ms,
                ),
                signups: Throttle::new(config.signup_burst, config.signup_refill_ms),
                guests: Throttle::new(config.guest_burst, config.guest_refill_ms),
                config,
                clock,
                archive,
            }),
        })
    }

    /// Makes an account by order of the operator.
    pub async fn create(&self, name: &str, password: &str, bot: bool) -> Done<PlayerId> {
        let name = AccountName::for_new(name)?;
        password::judge(password, name.shown())?;
        Ok(self.make(&name, password, bot).await?.player)
    }

    /// The account of a player.
    pub async fn account(&self, player: PlayerId) -> Done<AccountRow> {
        let account = self.inner.archive.account(player).await?;
        let open = account.filter(|account| account.closed_at.is_none());
        open.ok_or(AccountError::UnknownAccount)
    }

    /// The account of that name.
    pub async fn named(&self, name: &str) -> Done<AccountRow> {
        let name = AccountName::parse(name).map_err(|_| AccountError::UnknownAccount)?;
        let account = self.inner.archive.account_named(name.folded()).await?;
        account.ok_or(AccountError::UnknownAccount)
    }

    /// Sets another password, the present one given once more; every other session ends.
    pub async fn change_password(&self, who: &Identity, present: &str, new: &str) -> Done<()> {
        let account = self.confirm(who.player, present).await?;
        self.set_password(&account, new, who.session).await
    }

    /// Sets another password by order of the operator; every session ends.
    pub async fn replace_password(&self, name: &str, new: &str) -> Done<()> {
        let account = self.named(name).await?;
        self.set_password(&account, new, None).await
    }

    /// Deletes an account, its password given once more: its name goes, its games stay.
    pub async fn delete(&self, who: &Identity, present: &str) -> Done<()> {
        let account = self.confirm(who.player, present).await?;
        let (now, until) = self.span();
        let ended = self
            .inner
            .archive
            .close_account(account.player, now, until)
            .await?;
        self.forget(account.player, &ended, until);
        self.inner
            .online
            .close_player(account.player, CloseCode::Revoked);
        Ok(())
    }

    pub(super) async fn make(
        &self,
        name: &AccountName,
        password: &str,
        bot: bool,
    ) -> Done<AccountRow> {
        // A taken name is told before a hash is made of the password for nothing.
        if self
            .inner
            .archive
            .account_named(name.folded())
            .await?
            .is_some()
        {
            return Err(AccountError::NameTaken);
        }
        let new = NewAccount {
            player: self.mint()?,
            name: name.shown().to_owned(),
            folded: name.folded().to_owned(),
            password: self.inner.hasher.hash(password).await?,
            bot,
            at: self.inner.clock.now(),
        };
        if !self.inner.archive.create_account(&new).await? {
            return Err(AccountError::NameTaken);
        }
        self.account(new.player).await
    }

    pub(super) async fn confirm(&self, player: PlayerId, password: &str) -> Done<AccountRow> {
        let account = self.account(player).await?;
        let key = account.name.to_ascii_lowercase();
        self.throttle(&self.inner.logins, key.clone())?;
        let hash = account.password.as_deref();
        if !self.inner.hasher.verify(password, hash).await? {
            return Err(AccountError::WrongPassword);
        }
        self.inner.logins.forgive(&key);
        Ok(account)
    }

    async fn set_password(
        &self,
        account: &AccountRow,
        new: &str,
        keep: Option<SessionId>,
    ) -> Done<()> {
        password::judge(new, &account.name)?;
        let hash = self.inner.hasher.hash(new).await?;
        let (now, until) = self.span();
        let archive = &self.inner.archive;
        let ended = archive
            .set_password(account.player, &hash, keep, now, until)
            .await?;
        self.forget(account.player, &ended, until);
        Ok(())
    }

    /// From here on these sessions and tokens of a player are no longer let in, and are put out.
    pub(super) fn forget(&self, player: PlayerId, ended: &[SessionId], until: Timestamp) {
        for &session in ended {
            self.inner.revoked.add(session, until);
            self.inner
                .online
                .close_session(player, session, CloseCode::Revoked);
        }
    }

    pub(super) fn throttle<K: Eq + std::hash::Hash>(
        &self,
        throttle: &Throttle<K>,
        key: K,
    ) -> Done<()> {
        let taken = throttle.take(key, self.inner.clock.now());
        taken.map_err(|wait| AccountError::TooOften { wait })
    }

    pub(super) fn mint(&self) -> Result<PlayerId, NoChance> {
        let [low, high] = random_bytes()?;
        let shard = ShardNo::new(u16::from_le_bytes([low, high]));
        Ok(PlayerId::mint(self.inner.clock.now(), random_u64()?, shard))
    }

    /// Now, and when a ticket issued now will have worn out.
    pub(super) fn span(&self) -> (Timestamp, Timestamp) {
        let now = self.inner.clock.now();
        (now, now + self.life())
    }

    pub(super) fn life(&self) -> Millis {
        Millis::from_mins(u64::from(self.inner.config.ticket_days) * 24 * 60)
    }
}

/// The key of the tickets, made at the first start.
async fn ticket_key(archive: &Archive) -> Done<[u8; KEY_BYTES]> {
    use base64ct::{Base64UrlUnpadded, Encoding};
    let made = Base64UrlUnpadded::encode_string(&random_bytes::<KEY_BYTES>()?);
    let kept = archive.meta(TICKET_KEY, || made).await?;
    let mut key = [0; KEY_BYTES];
    match Base64UrlUnpadded::decode(kept, &mut key) {
        Ok(bytes) if bytes.len() == KEY_BYTES => Ok(key),
        _ => Err(crate::stores::archive::ArchiveError::Unreadable(TICKET_KEY.to_owned()).into()),
    }
}
