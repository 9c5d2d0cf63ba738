//! The sessions and tokens of an account, for its owner.

use rookery_core::id::PlayerId;

use super::random::random_id;
use super::service::{Done, LABEL_CHARS};
use super::{AccountError, Accounts, TokenScope, scope, token};
use crate::gateway::SessionId;
use crate::stores::archive::{NewToken, SessionRow, TokenRow};

/// A token just made. Its text is shown once.
#[derive(Clone, Debug)]
pub struct MadeToken {
    /// Its name.
    pub token: SessionId,
    /// Its text.
    pub text: String,
}

impl Accounts {
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
}
