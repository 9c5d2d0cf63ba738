//! The doorkeeper: whose credential this is. Tickets are checked without the archive.

use super::{AccountError, Accounts, scope, token};
use crate::gateway::{AdmitError, Credential, Doorkeeper, Identity, Kind, Pending, Scopes};

impl Doorkeeper for Accounts {
    fn admit(&self, credential: Credential) -> Pending<Result<Identity, AdmitError>> {
        let accounts = self.clone();
        Box::pin(async move {
            let text = credential.expose();
            if token::is_token(text) {
                accounts.admit_token(text).await
            } else {
                accounts.admit_ticket(text)
            }
        })
    }

    /// Only a session has every scope, and guests have no session at all.
    fn renew(&self, identity: &Identity) -> Option<String> {
        let wears_out = identity.kind == Kind::Guest || identity.scopes == Scopes::ALL;
        wears_out.then(|| self.issue(identity.clone()).ticket)
    }
}

impl Accounts {
    fn admit_ticket(&self, text: &str) -> Result<Identity, AdmitError> {
        let ticket = self
            .inner
            .signer
            .read(text)
            .map_err(|_| AdmitError::Invalid)?;
        let now = self.inner.clock.now();
        if ticket.expires <= now {
            return Err(AdmitError::Expired);
        }
        if let Some(session) = ticket.identity.session {
            if self.inner.revoked.contains(session) {
                return Err(AdmitError::Revoked);
            }
            self.inner.uses.note(session, now);
        }
        Ok(ticket.identity)
    }

    async fn admit_token(&self, text: &str) -> Result<Identity, AdmitError> {
        let unavailable = |error| {
            tracing::warn!(%error, "a token could not be checked");
            AdmitError::Unavailable
        };
        let found = self.inner.archive.token(&token::hash(text)).await;
        let Some(row) = found.map_err(unavailable)? else {
            return Err(AdmitError::Invalid);
        };
        let account = match self.account(row.player).await {
            Ok(account) => account,
            Err(AccountError::Archive(error)) => return Err(unavailable(error)),
            Err(_) => return Err(AdmitError::Revoked),
        };
        self.inner.uses.note(row.token, self.inner.clock.now());
        Ok(Identity {
            player: account.player,
            name: account.name,
            kind: Kind::Account,
            bot: account.bot,
            scopes: scope::allowed(&scope::from_stored(&row.scopes)),
            session: Some(row.token),
        })
    }
}
