//! What can be done with accounts. Every act of one account is here; over which wire it was asked for
//! is not known.

use std::net::IpAddr;
use std::sync::Arc;

use rookery_core::id::{PlayerId, ShardNo};
use rookery_core::time::{Millis, Timestamp};
use rookery_protocol::CloseCode;

use super::name::GUEST_PREFIX;
use super::password::{self, Hasher};
use super::random::{random_bytes, random_id, random_u64};
use super::revoked::Revoked;
use super::ticket::{KEY_BYTES, Signer, Ticket};
use super::uses::Uses;
use super::{AccountError, AccountName, AccountsConfig, Throttle, neighbourhood, scope, token};
use super::{NoChance, TokenScope};
use crate::clock::Clock;
use crate::gateway::{Identity, Kind, Scope, Scopes, SessionId, Sessions};
use crate::stores::archive::{AccountRow, Archive, NewAccount, NewToken, SessionRow, TokenRow};

/// Under which name the archive keeps the key of the tickets.
const TICKET_KEY: &str = "ticket_key";

/// How often another process's revocations are looked for.
const LOOK_EVERY: Millis = Millis::from_secs(2);

/// How often it is written down when sessions were used, and what is expired is forgotten.
const UPKEEP_EVERY: Millis = Millis::from_mins(1);

/// Characters of what a session or token is called.
const LABEL_CHARS: usize = 64;

type Done<T> = Result<T, AccountError>;

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
    config: AccountsConfig,
    hasher: Hasher,
    online: Sessions,
    logins: Throttle<String>,
    logins_by_address: Throttle<IpAddr>,
    signups: Throttle<IpAddr>,
    guests: Throttle<IpAddr>,
}

/// Somebody who came in.
#[derive(Clone, Debug)]
pub struct Entered {
    /// Who.
    pub identity: Identity,
    /// What he shows from here on.
    pub ticket: String,
    /// Until when it holds; each `hello` gives a fresh one.
    pub expires_at: Timestamp,
}

/// A token just made. Its text is shown once.
#[derive(Clone, Debug)]
pub struct MadeToken {
    /// Its name.
    pub token: SessionId,
    /// Its text.
    pub text: String,
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

    /// Looks after sessions for as long as the server runs: learns what other processes revoked, writes
    /// down uses, forgets what is expired.
    pub async fn run(self) {
        let clock = &self.inner.clock;
        let mut looked = clock.now();
        let mut kept_up = clock.now();
        loop {
            clock.sleep(LOOK_EVERY).await;
            let now = clock.now();
            match self.look(looked).await {
                Ok(()) => looked = now,
                Err(error) => tracing::warn!(%error, "revocations could not be read"),
            }
            if now.since(kept_up) >= UPKEEP_EVERY {
                kept_up = now;
                self.keep_up(now).await;
            }
        }
    }

    /// Writes down when sessions were used last.
    pub async fn flush(&self) {
        let uses = self.inner.uses.take();
        if uses.is_empty() {
            return;
        }
        if let Err(error) = self.inner.archive.note_use(&uses).await {
            tracing::warn!(%error, "uses of sessions could not be written");
        }
    }

    /// Makes an account over the network, and comes in with it.
    pub async fn sign_up(
        &self,
        name: &str,
        password: &str,
        label: &str,
        from: IpAddr,
    ) -> Done<Entered> {
        if !self.inner.config.signup {
            return Err(AccountError::SignupClosed);
        }
        let name = AccountName::for_new(name)?;
        password::judge(password, name.shown())?;
        self.throttle(&self.inner.signups, neighbourhood(from))?;
        let account = self.make(&name, password, false).await?;
        self.enter(account, label).await
    }

    /// Makes an account by order of the operator.
    pub async fn create(&self, name: &str, password: &str, bot: bool) -> Done<PlayerId> {
        let name = AccountName::for_new(name)?;
        password::judge(password, name.shown())?;
        Ok(self.make(&name, password, bot).await?.player)
    }

    /// Comes in with a password.
    pub async fn log_in(
        &self,
        name: &str,
        password: &str,
        label: &str,
        from: IpAddr,
    ) -> Done<Entered> {
        self.throttle(&self.inner.logins_by_address, neighbourhood(from))?;
        let name = AccountName::parse(name).map_err(|_| AccountError::BadLogin)?;
        let folded = name.folded().to_owned();
        self.throttle(&self.inner.logins, folded.clone())?;
        let account = self.inner.archive.account_named(&folded).await?;
        let hash = account
            .as_ref()
            .and_then(|account| account.password.as_deref());
        let right = self.inner.hasher.verify(password, hash).await?;
        match account {
            Some(account) if right => {
                self.inner.logins.forgive(&folded);
                self.enter(account, label).await
            }
            _ => Err(AccountError::BadLogin),
        }
    }

    /// Comes in without an account: a player who lives in his ticket, for casual games.
    pub fn guest(&self, from: IpAddr) -> Done<Entered> {
        if !self.inner.config.guests {
            return Err(AccountError::GuestsClosed);
        }
        self.throttle(&self.inner.guests, neighbourhood(from))?;
        let player = self.mint()?;
        let number = random_u64()? % 1_000_000;
        Ok(self.issue(Identity {
            player,
            name: format!("{GUEST_PREFIX}{number:06}"),
            kind: Kind::Guest,
            bot: false,
            scopes: [Scope::Play, Scope::Challenge, Scope::Chat]
                .into_iter()
                .collect(),
            session: None,
        }))
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

    /// The sessions of a player, the one used last first.
    pub async fn sessions(&self, player: PlayerId) -> Done<Vec<SessionRow>> {
        let mut rows = self.inner.archive.sessions(player).await?;
        for row in &mut rows {
            row.used_at = row.used_at.max(self.inner.uses.last(row.session));
        }
        Ok(rows)
    }

    /// Ends a session.
    pub async fn end_session(&self, player: PlayerId, session: SessionId) -> Done<()> {
        let (now, until) = self.span();
        if !self
            .inner
            .archive
            .end_session(player, session, now, until)
            .await?
        {
            return Err(AccountError::UnknownSession);
        }
        self.forget(player, &[session], until);
        Ok(())
    }

    /// The tokens of a player, the newest first.
    pub async fn tokens(&self, player: PlayerId) -> Done<Vec<TokenRow>> {
        Ok(self.inner.archive.tokens(player).await?)
    }

    /// Makes a token for a program.
    pub async fn make_token(
        &self,
        player: PlayerId,
        label: &str,
        scopes: &[TokenScope],
    ) -> Done<MadeToken> {
        let blank = label.trim().is_empty();
        if blank || label.chars().count() > LABEL_CHARS || label.chars().any(char::is_control) {
            return Err(AccountError::Label);
        }
        if scopes.is_empty() {
            return Err(AccountError::NoScope);
        }
        let text = token::make()?;
        let new = NewToken {
            token: SessionId(random_id()?),
            player,
            hash: token::hash(&text),
            scopes: scope::to_stored(scopes),
            label: label.to_owned(),
            at: self.inner.clock.now(),
        };
        let most = self.inner.config.tokens_per_account;
        if !self.inner.archive.create_token(&new, most).await? {
            return Err(AccountError::TooManyTokens);
        }
        Ok(MadeToken {
            token: new.token,
            text,
        })
    }

    /// Ends a token.
    pub async fn end_token(&self, player: PlayerId, token: SessionId) -> Done<()> {
        let (now, until) = self.span();
        if !self
            .inner
            .archive
            .end_token(player, token, now, until)
            .await?
        {
            return Err(AccountError::UnknownToken);
        }
        self.forget(player, &[token], until);
        Ok(())
    }

    /// Signs a ticket that begins to wear out now.
    pub(super) fn issue(&self, identity: Identity) -> Entered {
        let (issued, expires) = self.span();
        let ticket = Ticket {
            identity,
            issued,
            expires,
        };
        Entered {
            ticket: self.inner.signer.sign(&ticket),
            expires_at: expires,
            identity: ticket.identity,
        }
    }

    async fn make(&self, name: &AccountName, password: &str, bot: bool) -> Done<AccountRow> {
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

    async fn enter(&self, account: AccountRow, label: &str) -> Done<Entered> {
        let (now, until) = self.span();
        let session = SessionRow {
            session: SessionId(random_id()?),
            player: account.player,
            label: label
                .chars()
                .filter(|c| !c.is_control())
                .take(LABEL_CHARS)
                .collect(),
            created_at: now,
            used_at: now,
        };
        let most = self.inner.config.sessions_per_account;
        let ended = self
            .inner
            .archive
            .open_session(&session, most, until)
            .await?;
        self.forget(account.player, &ended, until);
        Ok(self.issue(Identity {
            player: account.player,
            name: account.name,
            kind: Kind::Account,
            bot: account.bot,
            scopes: Scopes::ALL,
            session: Some(session.session),
        }))
    }

    async fn confirm(&self, player: PlayerId, password: &str) -> Done<AccountRow> {
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
    fn forget(&self, player: PlayerId, ended: &[SessionId], until: Timestamp) {
        for &session in ended {
            self.inner.revoked.add(session, until);
            self.inner
                .online
                .close_session(player, session, CloseCode::Revoked);
        }
    }

    async fn look(&self, since: Timestamp) -> Done<()> {
        for row in self.inner.revoked.learn(&self.inner.archive, since).await? {
            self.inner
                .online
                .close_session(row.player, row.session, CloseCode::Revoked);
        }
        Ok(())
    }

    async fn keep_up(&self, now: Timestamp) {
        self.flush().await;
        self.inner.revoked.forget_expired(now);
        let unused = now - self.life();
        if let Err(error) = self.inner.archive.forget_expired(unused, now).await {
            tracing::warn!(%error, "expired sessions could not be forgotten");
        }
    }

    fn throttle<K: Eq + std::hash::Hash>(&self, throttle: &Throttle<K>, key: K) -> Done<()> {
        let taken = throttle.take(key, self.inner.clock.now());
        taken.map_err(|wait| AccountError::TooOften { wait })
    }

    fn mint(&self) -> Result<PlayerId, NoChance> {
        let [low, high] = random_bytes()?;
        let shard = ShardNo::new(u16::from_le_bytes([low, high]));
        Ok(PlayerId::mint(self.inner.clock.now(), random_u64()?, shard))
    }

    /// Now, and when a ticket issued now will have worn out.
    fn span(&self) -> (Timestamp, Timestamp) {
        let now = self.inner.clock.now();
        (now, now + self.life())
    }

    fn life(&self) -> Millis {
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
