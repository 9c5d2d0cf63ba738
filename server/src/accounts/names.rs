//! Who is called what, for the lobby.

use rookery_protocol::ErrorCode;

use super::{AccountError, Accounts};
use crate::gateway::Pending;
use crate::lobby::{Called, Names};

impl Names for Accounts {
    fn called(&self, name: &str) -> Pending<Result<Option<Called>, ErrorCode>> {
        let accounts = self.clone();
        let name = name.to_owned();
        Box::pin(async move {
            match accounts.named(&name).await {
                Ok(account) if account.closed_at.is_some() => Ok(None),
                Ok(account) => Ok(Some(Called {
                    player: account.player,
                    name: account.name,
                    bot: account.bot,
                })),
                Err(AccountError::UnknownAccount) => Ok(None),
                Err(error) => {
                    tracing::warn!(%error, "a name could not be looked up");
                    Err(ErrorCode::Busy)
                }
            }
        })
    }
}
