//! The ways in: sign-up, password, guest; each ends in a ticket.

use std::net::IpAddr;

use rookery_core::time::Timestamp;

use super::name::GUEST_PREFIX;
use super::password;
use super::random::{random_id, random_u64};
use super::service::{Done, LABEL_CHARS};
use super::ticket::Ticket;
use super::{AccountError, AccountName, Accounts, neighbourhood};
use crate::gateway::{Identity, Kind, Scope, Scopes, SessionId};
use crate::stores::archive::{AccountRow, SessionRow};

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

impl Accounts {
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

    /// Signs a ticket that begins to wear out now. Whoever asks has been admitted.
    pub fn issue(&self, identity: Identity) -> Entered {
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
}
