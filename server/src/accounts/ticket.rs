//! Tickets: who somebody is, signed, so that any node knows it without asking. Whether the session was
//! ended since is known elsewhere; no clock is read here.

use base64ct::{Base64UrlUnpadded, Encoding};
use hmac::{Hmac, KeyInit, Mac};
use rookery_core::id::PlayerId;
use rookery_core::time::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::gateway::{Identity, Kind, Scope, Scopes, SessionId};

/// What a ticket of this form begins with.
const FORM: &str = "r1.";

/// Bytes of the key (RFC 2104, section 3: as many as the hash has).
pub(super) const KEY_BYTES: usize = 32;

/// Signs and checks tickets.
#[derive(Clone)]
pub(super) struct Signer(Hmac<Sha256>);

/// A ticket that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ticket {
    pub(super) identity: Identity,
    pub(super) issued: Timestamp,
    pub(super) expires: Timestamp,
}

/// No ticket of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Forged;

/// What is signed; names are short because a ticket travels often.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claims {
    /// The player.
    p: PlayerId,
    /// The name.
    n: String,
    /// Whether a guest.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    g: bool,
    /// Whether a program's account.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    b: bool,
    /// The session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    s: Option<i64>,
    /// What is allowed, as the sum of the scopes' numbers.
    c: u8,
    /// Issued.
    i: Timestamp,
    /// Expires.
    e: Timestamp,
}

impl Signer {
    pub(super) fn new(key: &[u8; KEY_BYTES]) -> Signer {
        Signer(Hmac::new_from_slice(key).expect("a key of any length will do"))
    }

    pub(super) fn sign(&self, ticket: &Ticket) -> String {
        let identity = &ticket.identity;
        let claims = Claims {
            p: identity.player,
            n: identity.name.clone(),
            g: identity.kind == Kind::Guest,
            b: identity.bot,
            s: identity.session.map(|session| session.0),
            c: number(identity.scopes),
            i: ticket.issued,
            e: ticket.expires,
        };
        let json = serde_json::to_vec(&claims).expect("claims have no fallible parts");
        let mut text = FORM.to_owned();
        text.push_str(&Base64UrlUnpadded::encode_string(&json));
        let mac = self.mac(&text).finalize().into_bytes();
        text.push('.');
        text.push_str(&Base64UrlUnpadded::encode_string(&mac));
        text
    }

    pub(super) fn read(&self, text: &str) -> Result<Ticket, Forged> {
        let (signed, mac) = text.rsplit_once('.').ok_or(Forged)?;
        let mac = Base64UrlUnpadded::decode_vec(mac).map_err(|_| Forged)?;
        self.mac(signed).verify_slice(&mac).map_err(|_| Forged)?;
        let payload = signed.strip_prefix(FORM).ok_or(Forged)?;
        let json = Base64UrlUnpadded::decode_vec(payload).map_err(|_| Forged)?;
        let claims: Claims = serde_json::from_slice(&json).map_err(|_| Forged)?;
        Ok(Ticket {
            identity: Identity {
                player: claims.p,
                name: claims.n,
                kind: if claims.g { Kind::Guest } else { Kind::Account },
                bot: claims.b,
                scopes: scopes(claims.c),
                session: claims.s.map(SessionId),
            },
            issued: claims.i,
            expires: claims.e,
        })
    }

    fn mac(&self, text: &str) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        mac.update(text.as_bytes());
        mac
    }
}

fn number(scopes: Scopes) -> u8 {
    let allowed = Scope::ALL.into_iter().filter(|scope| scopes.allows(*scope));
    allowed.fold(0, |number, scope| number | scope as u8)
}

fn scopes(number: u8) -> Scopes {
    let named = Scope::ALL.into_iter();
    named.filter(|scope| number & *scope as u8 != 0).collect()
}

#[cfg(test)]
mod tests {
    use rookery_core::id::ShardNo;
    use rookery_protocol::Auth;

    use super::*;

    fn ticket() -> Ticket {
        Ticket {
            identity: Identity {
                player: PlayerId::mint(Timestamp(1_790_000_000_000), u64::MAX, ShardNo::new(9)),
                name: "12345678901234567890".to_owned(),
                kind: Kind::Account,
                bot: true,
                scopes: [Scope::Play, Scope::Account].into_iter().collect(),
                session: Some(SessionId((1 << 53) - 1)),
            },
            issued: Timestamp(1_790_000_000_000),
            expires: Timestamp(1_799_000_000_000),
        }
    }

    #[test]
    fn a_ticket_survives_the_wire_and_fits_it() {
        let signer = Signer::new(&[7; KEY_BYTES]);
        let text = signer.sign(&ticket());
        assert!(text.parse::<Auth>().is_ok(), "{text}");
        assert!(text.len() < 300, "{}", text.len());
        assert_eq!(signer.read(&text), Ok(ticket()));
    }

    #[test]
    fn nothing_else_is_a_ticket() {
        let signer = Signer::new(&[7; KEY_BYTES]);
        let text = signer.sign(&ticket());
        assert_eq!(Signer::new(&[8; KEY_BYTES]).read(&text), Err(Forged));
        for position in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[position] = if changed[position] == b'A' {
                b'B'
            } else {
                b'A'
            };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(signer.read(&changed), Err(Forged), "{changed}");
        }
        for junk in [
            "",
            ".",
            "r1.",
            "r1..",
            "rk_abc",
            "r1.e30.",
            &text[..text.len() - 1],
        ] {
            assert_eq!(signer.read(junk), Err(Forged), "{junk}");
        }
    }
}
