//! Who asks. The credential comes in a header and never in a cookie: a page of another site cannot make
//! a browser send it, so no request can be forged across sites.

use std::net::{IpAddr, Ipv4Addr};

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, USER_AGENT};
use axum::http::request::Parts;

use super::api::Api;
use super::error::{ApiError, Code};
use crate::gateway::{ClientAddress, Credential, Doorkeeper, Identity, Scope};

/// Who asks, by the ticket or token he shows.
#[derive(Clone, Debug)]
pub(super) struct Caller(pub(super) Identity);

impl Caller {
    /// The caller of a request that needs `scope`, where one is named.
    pub(super) async fn of(
        headers: &HeaderMap,
        api: &Api,
        scope: Option<Scope>,
    ) -> Result<Caller, ApiError> {
        let credential = bearer(headers).ok_or(Code::NotSignedIn)?;
        let identity = api.accounts().admit(credential).await?;
        match scope {
            Some(scope) if !identity.scopes.allows(scope) => Err(Code::ScopeMissing.into()),
            _ => Ok(Caller(identity)),
        }
    }
}

fn bearer(headers: &HeaderMap) -> Option<Credential> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, credential) = value.split_once(' ')?;
    let bearer = scheme.eq_ignore_ascii_case("bearer");
    bearer.then(|| Credential::new(credential.trim()))
}

/// Set by the layer that checked the operation's access.
impl FromRequestParts<Api> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &Api) -> Result<Caller, ApiError> {
        let checked = parts.extensions.get::<Caller>().cloned();
        checked.ok_or_else(|| Code::NotSignedIn.into())
    }
}

/// The address of the client; this machine for requests that came through no listener.
pub(super) struct From(pub(super) IpAddr);

impl FromRequestParts<Api> for From {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &Api) -> Result<From, ApiError> {
        let told = parts.extensions.get::<ClientAddress>();
        Ok(From(
            told.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |told| told.0),
        ))
    }
}

/// What the client calls itself, for its owner's list of sessions.
pub(super) struct Label(pub(super) String);

impl FromRequestParts<Api> for Label {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &Api) -> Result<Label, ApiError> {
        let agent = parts.headers.get(USER_AGENT);
        let agent = agent
            .and_then(|value| value.to_str().ok())
            .unwrap_or("unknown");
        Ok(Label(agent.to_owned()))
    }
}
