//! What a request is told that is not done: `{"error": {"code", "message"}}`. Nothing of the inside of
//! the server gets out here.

use std::borrow::Cow;

use axum::Json;
use axum::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use rookery_core::time::Millis;
use rookery_protocol::ErrorCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accounts::{AccountError, HashError, NameError, PasswordError};
use crate::gateway::{AdmitError, RecordsAway};
use crate::stores::archive::ArchiveError;

macro_rules! codes {
    ($( $(#[doc = $doc:literal])+ $variant:ident = $code:literal, $status:ident; )+) => {
        /// Why a request was not done. A code never changes its meaning; new ones may come.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
        pub enum Code {
            $( $(#[doc = $doc])+ #[serde(rename = $code)] $variant, )+
        }

        impl Code {
            /// The code on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $code,)+ }
            }

            /// The status it comes with.
            pub const fn status(self) -> StatusCode {
                match self { $(Code::$variant => StatusCode::$status,)+ }
            }

            const fn meaning(self) -> &'static str {
                match self { $(Code::$variant => concat!($($doc),+).trim_ascii(),)+ }
            }
        }
    };
}

codes! {
    /// The body is not JSON, or a field is missing, unknown, twice there, of a wrong type or out of bounds.
    BadBody = "bad_body", BAD_REQUEST;
    /// A part of the address or of the query cannot be read.
    BadQuery = "bad_query", BAD_REQUEST;
    /// A body comes with `content-type: application/json`.
    NotJson = "not_json", UNSUPPORTED_MEDIA_TYPE;
    /// The body is too large.
    TooLarge = "too_large", PAYLOAD_TOO_LARGE;
    /// There is nothing at this address.
    NotFound = "not_found", NOT_FOUND;
    /// This address does not know that method.
    MethodNotAllowed = "method_not_allowed", METHOD_NOT_ALLOWED;

    /// This needs a ticket or token: `authorization: Bearer …`.
    NotSignedIn = "not_signed_in", UNAUTHORIZED;
    /// The ticket or token is not valid.
    BadAuth = "bad_auth", UNAUTHORIZED;
    /// The ticket has worn out: log in again.
    AuthExpired = "auth_expired", UNAUTHORIZED;
    /// The session was ended: log in again.
    Revoked = "revoked", UNAUTHORIZED;
    /// The account is closed.
    Banned = "banned", FORBIDDEN;
    /// The ticket or token does not allow this.
    ScopeMissing = "scope_missing", FORBIDDEN;

    /// A name has 2 to 20 characters of `[0-9A-Za-z_-]` and begins with a letter or digit.
    BadName = "bad_name", BAD_REQUEST;
    /// This name is reserved.
    NameReserved = "name_reserved", CONFLICT;
    /// This name is taken.
    NameTaken = "name_taken", CONFLICT;
    /// A password has at least 8 characters.
    PasswordTooShort = "password_too_short", BAD_REQUEST;
    /// A password has at most 256 bytes.
    PasswordTooLong = "password_too_long", BAD_REQUEST;
    /// This password is guessed first.
    PasswordGuessed = "password_guessed", BAD_REQUEST;
    /// The name or the password is wrong.
    BadLogin = "bad_login", UNAUTHORIZED;
    /// The password given to confirm is wrong.
    WrongPassword = "wrong_password", FORBIDDEN;
    /// Accounts are made by the operator of this server.
    SignupClosed = "signup_closed", FORBIDDEN;
    /// Guests do not play on this server.
    GuestsClosed = "guests_closed", FORBIDDEN;
    /// A label has 1 to 64 characters and no control characters.
    BadLabel = "bad_label", BAD_REQUEST;
    /// A token needs at least one scope.
    NoScope = "no_scope", BAD_REQUEST;
    /// This account has as many tokens as it may.
    TooManyTokens = "too_many_tokens", CONFLICT;

    /// No game has this id.
    UnknownGame = "unknown_game", NOT_FOUND;
    /// No player has this name.
    UnknownPlayer = "unknown_player", NOT_FOUND;
    /// No session of yours has this number.
    UnknownSession = "unknown_session", NOT_FOUND;
    /// No token of yours has this number.
    UnknownToken = "unknown_token", NOT_FOUND;

    /// Too often: wait as long as `retry-after` says.
    RateLimited = "rate_limited", TOO_MANY_REQUESTS;
    /// A queue is full; nothing was done. Try again.
    Busy = "busy", SERVICE_UNAVAILABLE;
    /// A store does not answer. Try again.
    Unavailable = "unavailable", SERVICE_UNAVAILABLE;
    /// It took too long; it may have been done all the same.
    TimedOut = "timed_out", SERVICE_UNAVAILABLE;
    /// A fault of the server; it is logged there.
    Internal = "internal", INTERNAL_SERVER_ERROR;
}

/// What any request may be told.
pub(super) const ALWAYS: [Code; 5] = [
    Code::RateLimited,
    Code::Busy,
    Code::Unavailable,
    Code::TimedOut,
    Code::Internal,
];

/// What a request that needs a caller may be told.
pub(super) const OF_ACCESS: [Code; 6] = [
    Code::NotSignedIn,
    Code::BadAuth,
    Code::AuthExpired,
    Code::Revoked,
    Code::Banned,
    Code::ScopeMissing,
];

/// What a request with a body may be told.
pub(super) const OF_BODIES: [Code; 3] = [Code::BadBody, Code::NotJson, Code::TooLarge];

/// A refusal on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    status: StatusCode,
    code: &'static str,
    message: Cow<'static, str>,
    retry_after: Option<Millis>,
}

/// The body of every refusal.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct ErrorBody {
    /// What is wrong.
    error: ErrorView,
}

/// What is wrong.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct ErrorView {
    /// The code, for programs. It never changes its meaning.
    code: String,
    /// A sentence, for people.
    message: String,
}

/// When to come back where nothing more exact is known.
const SOON: Millis = Millis::from_secs(1);

impl From<Code> for ApiError {
    fn from(code: Code) -> ApiError {
        let later = code.status() == StatusCode::SERVICE_UNAVAILABLE;
        ApiError {
            status: code.status(),
            code: code.as_str(),
            message: code.meaning().into(),
            retry_after: later.then_some(SOON),
        }
    }
}

impl Code {
    /// This code with a sentence of its own.
    pub(super) fn because(self, message: impl Into<String>) -> ApiError {
        ApiError {
            message: Cow::Owned(message.into()),
            ..ApiError::from(self)
        }
    }

    /// This code, and when to come back.
    pub(super) fn after(self, wait: Millis) -> ApiError {
        ApiError {
            retry_after: Some(wait),
            ..ApiError::from(self)
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = ErrorBody {
            error: ErrorView {
                code: self.code.to_owned(),
                message: self.message.into_owned(),
            },
        };
        let mut response = (self.status, Json(body)).into_response();
        let headers = response.headers_mut();
        if let Some(wait) = self.retry_after {
            headers.insert(RETRY_AFTER, HeaderValue::from(wait.0.div_ceil(1000).max(1)));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

impl IntoResponse for Code {
    fn into_response(self) -> Response {
        ApiError::from(self).into_response()
    }
}

impl From<AdmitError> for ApiError {
    fn from(error: AdmitError) -> ApiError {
        let code = match error {
            AdmitError::Invalid => Code::BadAuth,
            AdmitError::Expired => Code::AuthExpired,
            AdmitError::Revoked => Code::Revoked,
            AdmitError::Banned => Code::Banned,
            AdmitError::Unavailable => Code::Unavailable,
        };
        code.into()
    }
}

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> ApiError {
        let code = match error {
            AccountError::Name(NameError::Malformed) => Code::BadName,
            AccountError::Name(NameError::Reserved) => Code::NameReserved,
            AccountError::NameTaken => Code::NameTaken,
            AccountError::Password(PasswordError::TooShort) => Code::PasswordTooShort,
            AccountError::Password(PasswordError::TooLong) => Code::PasswordTooLong,
            AccountError::Password(PasswordError::Guessed) => Code::PasswordGuessed,
            AccountError::Label => Code::BadLabel,
            AccountError::NoScope => Code::NoScope,
            AccountError::BadLogin => Code::BadLogin,
            AccountError::WrongPassword => Code::WrongPassword,
            AccountError::TooOften { wait } => return Code::RateLimited.after(wait),
            AccountError::SignupClosed => Code::SignupClosed,
            AccountError::GuestsClosed => Code::GuestsClosed,
            AccountError::UnknownAccount => Code::UnknownPlayer,
            AccountError::UnknownSession => Code::UnknownSession,
            AccountError::UnknownToken => Code::UnknownToken,
            AccountError::TooManyTokens => Code::TooManyTokens,
            AccountError::Hash(HashError::Busy) => Code::Busy,
            AccountError::Hash(HashError::Broken) | AccountError::Chance(_) => {
                tracing::error!(%error, "an account's request failed");
                Code::Internal
            }
            AccountError::Archive(error) => return error.into(),
        };
        code.into()
    }
}

impl From<ArchiveError> for ApiError {
    fn from(error: ArchiveError) -> ApiError {
        tracing::error!(%error, "the archive failed a request");
        match error {
            ArchiveError::Unavailable(_) => Code::Unavailable.into(),
            ArchiveError::Newer { .. } | ArchiveError::Unreadable(_) => Code::Internal.into(),
        }
    }
}

impl From<RecordsAway> for ApiError {
    fn from(_: RecordsAway) -> ApiError {
        Code::Unavailable.into()
    }
}

/// What the lobby refuses, with the codes of the socket's protocol.
impl From<ErrorCode> for ApiError {
    fn from(code: ErrorCode) -> ApiError {
        use ErrorCode as Lobby;
        let status = match code {
            Lobby::UnknownGame | Lobby::UnknownSeek | Lobby::UnknownPool => StatusCode::NOT_FOUND,
            Lobby::UnknownChallenge | Lobby::UnknownPlayer => StatusCode::NOT_FOUND,
            Lobby::NotYours | Lobby::GuestNotAllowed | Lobby::ScopeMissing => StatusCode::FORBIDDEN,
            Lobby::BadMessage | Lobby::ControlNotAllowed | Lobby::PositionNotAllowed => {
                StatusCode::BAD_REQUEST
            }
            Lobby::RateLimited => StatusCode::TOO_MANY_REQUESTS,
            Lobby::Busy | Lobby::Retry | Lobby::Draining => StatusCode::SERVICE_UNAVAILABLE,
            Lobby::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::CONFLICT,
        };
        let later = matches!(
            status,
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS
        );
        ApiError {
            status,
            code: code.as_str(),
            message: code.meaning().into(),
            retry_after: later.then_some(SOON),
        }
    }
}
