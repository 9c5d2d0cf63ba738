//! Accounts on an archive of their own and a clock moved by hand.

use std::net::{IpAddr, Ipv4Addr};

use rookery_core::time::{Millis, Timestamp};
use tempfile::TempDir;

use super::*;
use crate::clock::{Clock, Hands};
use crate::gateway::{
    AdmitError, Credential, Doorkeeper, GatewayConfig, Identity, Kind, Scope, Scopes, Sessions,
};
use crate::stores::archive::Archive;

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const PASSWORD: &str = "correct horse";

struct House {
    accounts: Accounts,
    hands: Hands,
    clock: Clock,
    folder: TempDir,
}

impl House {
    async fn open() -> House {
        House::open_with(AccountsConfig::default()).await
    }

    async fn open_with(config: AccountsConfig) -> House {
        let folder = tempfile::tempdir().unwrap();
        let (clock, hands) = Clock::manual(Timestamp(1_790_000_000_000));
        let accounts = accounts(&folder, &clock, config).await;
        House {
            accounts,
            hands,
            clock,
            folder,
        }
    }

    async fn admit(&self, credential: &str) -> Result<Identity, AdmitError> {
        self.accounts.admit(Credential::new(credential)).await
    }

    async fn sign_up(&self, name: &str) -> Entered {
        self.accounts
            .sign_up(name, PASSWORD, "test", HERE)
            .await
            .unwrap()
    }

    async fn log_in(&self, password: &str) -> Result<Entered, AccountError> {
        self.accounts.log_in("ADA", password, "test", HERE).await
    }
}

/// Another process on the same file has another value of these.
async fn accounts(folder: &TempDir, clock: &Clock, config: AccountsConfig) -> Accounts {
    let archive = Archive::open(&folder.path().join("rookery.db"))
        .await
        .unwrap();
    let config = AccountsConfig {
        hash_memory_kib: 8,
        hash_passes: 1,
        ..config
    };
    let online = Sessions::new(&GatewayConfig::default());
    Accounts::open(archive, clock.clone(), config, online)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_new_account_comes_in_by_ticket() {
    let house = House::open().await;
    let ada = house.sign_up("Ada").await;
    let admitted = house.admit(&ada.ticket).await.unwrap();
    assert_eq!(admitted, ada.identity);
    assert_eq!(
        (admitted.name.as_str(), admitted.kind, admitted.bot),
        ("Ada", Kind::Account, false)
    );
    assert_eq!(admitted.scopes, Scopes::ALL);
    let again = house.log_in(PASSWORD).await.unwrap();
    assert_eq!(again.identity.player, ada.identity.player);
    assert_ne!(again.identity.session, ada.identity.session);
}

#[tokio::test]
async fn what_is_wrong_is_named() {
    let house = House::open().await;
    house.sign_up("Ada").await;
    let sign_up = |name: &'static str, password: &'static str| {
        house.accounts.sign_up(name, password, "", HERE)
    };
    assert!(matches!(
        sign_up("ADA", PASSWORD).await,
        Err(AccountError::NameTaken)
    ));
    assert!(matches!(
        sign_up("a b", PASSWORD).await,
        Err(AccountError::Name(NameError::Malformed))
    ));
    assert!(matches!(
        sign_up("admin", PASSWORD).await,
        Err(AccountError::Name(NameError::Reserved))
    ));
    assert!(matches!(
        sign_up("bob", "short").await,
        Err(AccountError::Password(PasswordError::TooShort))
    ));
    assert!(matches!(
        house.log_in("wrong horse").await,
        Err(AccountError::BadLogin)
    ));
    let nobody = house
        .accounts
        .log_in("nobody-here", PASSWORD, "", HERE)
        .await;
    assert!(matches!(nobody, Err(AccountError::BadLogin)));
}

#[tokio::test]
async fn a_ticket_wears_out_and_is_renewed() {
    let house = House::open().await;
    let ada = house.sign_up("Ada").await;
    house.hands.advance(Millis::from_mins(20 * 24 * 60));
    let renewed = house.accounts.renew(&ada.identity).unwrap();
    house.hands.advance(Millis::from_mins(20 * 24 * 60));
    assert_eq!(house.admit(&ada.ticket).await, Err(AdmitError::Expired));
    assert_eq!(house.admit(&renewed).await, Ok(ada.identity));
    assert_eq!(
        house.admit("r1.nothing.at-all").await,
        Err(AdmitError::Invalid)
    );
}

#[tokio::test]
async fn a_guest_has_no_row_and_no_session() {
    let house = House::open().await;
    let guest = house.accounts.guest(HERE).unwrap();
    let admitted = house.admit(&guest.ticket).await.unwrap();
    assert_eq!((admitted.kind, admitted.session), (Kind::Guest, None));
    assert!(admitted.name.starts_with("Guest-"));
    assert!(admitted.scopes.allows(Scope::Play) && !admitted.scopes.allows(Scope::Account));
    assert!(house.accounts.renew(&admitted).is_some());
    let unknown = house.accounts.account(admitted.player).await;
    assert!(matches!(unknown, Err(AccountError::UnknownAccount)));
    let closed = House::open_with(AccountsConfig {
        guests: false,
        signup: false,
        ..AccountsConfig::default()
    })
    .await;
    assert!(matches!(
        closed.accounts.guest(HERE),
        Err(AccountError::GuestsClosed)
    ));
    let refused = closed.accounts.sign_up("ada", PASSWORD, "", HERE).await;
    assert!(matches!(refused, Err(AccountError::SignupClosed)));
}

#[tokio::test]
async fn another_password_ends_the_other_sessions() {
    let house = House::open().await;
    let (one, two) = (
        house.sign_up("Ada").await,
        house.log_in(PASSWORD).await.unwrap(),
    );
    let change = |present: &'static str, new: &'static str| {
        house.accounts.change_password(&two.identity, present, new)
    };
    assert!(matches!(
        change("wrong horse", "battery staple").await,
        Err(AccountError::WrongPassword)
    ));
    change(PASSWORD, "battery staple").await.unwrap();
    assert_eq!(house.admit(&one.ticket).await, Err(AdmitError::Revoked));
    assert_eq!(house.admit(&two.ticket).await, Ok(two.identity.clone()));
    assert!(house.log_in(PASSWORD).await.is_err());
    assert!(house.log_in("battery staple").await.is_ok());
}

#[tokio::test]
async fn a_session_can_be_ended_and_stays_ended_after_a_restart() {
    let house = House::open().await;
    let (one, two) = (
        house.sign_up("Ada").await,
        house.log_in(PASSWORD).await.unwrap(),
    );
    let player = one.identity.player;
    assert_eq!(house.accounts.sessions(player).await.unwrap().len(), 2);
    house
        .accounts
        .end_session(player, one.identity.session.unwrap())
        .await
        .unwrap();
    assert_eq!(house.admit(&one.ticket).await, Err(AdmitError::Revoked));
    let gone = house
        .accounts
        .end_session(player, one.identity.session.unwrap())
        .await;
    assert!(matches!(gone, Err(AccountError::UnknownSession)));

    let restarted = accounts(&house.folder, &house.clock, AccountsConfig::default()).await;
    assert_eq!(
        restarted.admit(Credential::new(&one.ticket)).await,
        Err(AdmitError::Revoked)
    );
    assert_eq!(
        restarted.admit(Credential::new(&two.ticket)).await,
        Ok(two.identity)
    );
}

#[tokio::test]
async fn what_another_process_revokes_is_learnt() {
    let house = House::open().await;
    let ada = house.sign_up("Ada").await;
    let running = tokio::spawn(house.accounts.clone().run());
    let operator = accounts(&house.folder, &house.clock, AccountsConfig::default()).await;
    operator
        .replace_password("ada", "battery staple")
        .await
        .unwrap();
    assert!(house.admit(&ada.ticket).await.is_ok());
    while house.admit(&ada.ticket).await.is_ok() {
        house.hands.advance(Millis(500));
        tokio::task::yield_now().await;
    }
    assert_eq!(house.admit(&ada.ticket).await, Err(AdmitError::Revoked));
    running.abort();
}

#[tokio::test]
async fn a_token_allows_what_it_says_until_it_ends() {
    let house = House::open().await;
    let player = house
        .accounts
        .create("deep-mate", PASSWORD, true)
        .await
        .unwrap();
    let make = |label: &'static str, scopes: &'static [TokenScope]| {
        house.accounts.make_token(player, label, scopes)
    };
    let token = make("engine", &[TokenScope::Play, TokenScope::AccountRead])
        .await
        .unwrap();
    assert!(token.text.parse::<rookery_protocol::Auth>().is_ok());
    let admitted = house.admit(&token.text).await.unwrap();
    assert!(admitted.bot && admitted.session == Some(token.token));
    assert!(admitted.scopes.allows(Scope::Play) && admitted.scopes.allows(Scope::Read));
    assert!(!admitted.scopes.allows(Scope::Challenge) && !admitted.scopes.allows(Scope::Account));
    assert_eq!(house.accounts.renew(&admitted), None);
    assert!(matches!(
        make("", &[TokenScope::Play]).await,
        Err(AccountError::Label)
    ));
    assert!(matches!(make("x", &[]).await, Err(AccountError::NoScope)));

    house.accounts.flush().await;
    let listed = house.accounts.tokens(player).await.unwrap();
    assert_eq!(listed[0].used_at, Some(house.clock.now()));
    house.accounts.end_token(player, token.token).await.unwrap();
    assert_eq!(house.admit(&token.text).await, Err(AdmitError::Invalid));
}

#[tokio::test]
async fn a_deleted_account_lets_nobody_in_and_frees_its_name() {
    let house = House::open().await;
    let ada = house.sign_up("Ada").await;
    let token = house
        .accounts
        .make_token(ada.identity.player, "x", &[TokenScope::Play])
        .await
        .unwrap();
    let wrong = house.accounts.delete(&ada.identity, "wrong horse").await;
    assert!(matches!(wrong, Err(AccountError::WrongPassword)));
    house
        .accounts
        .delete(&ada.identity, PASSWORD)
        .await
        .unwrap();
    assert_eq!(house.admit(&ada.ticket).await, Err(AdmitError::Revoked));
    assert_eq!(house.admit(&token.text).await, Err(AdmitError::Invalid));
    assert!(matches!(
        house.log_in(PASSWORD).await,
        Err(AccountError::BadLogin)
    ));
    assert_ne!(
        house.sign_up("Ada").await.identity.player,
        ada.identity.player
    );
}

#[tokio::test]
async fn guessing_is_slowed_down_by_account_and_by_address() {
    let house = House::open_with(AccountsConfig {
        login_burst: 3,
        login_burst_per_address: 5,
        ..AccountsConfig::default()
    })
    .await;
    house.sign_up("Ada").await;
    for _ in 0..3 {
        assert!(matches!(
            house.log_in("wrong horse").await,
            Err(AccountError::BadLogin)
        ));
    }
    assert!(
        matches!(house.log_in(PASSWORD).await, Err(AccountError::TooOften { wait }) if wait.0 > 0)
    );
    let other = |address: [u8; 4]| {
        house
            .accounts
            .log_in("nobody", PASSWORD, "", IpAddr::from(address))
    };
    assert!(matches!(
        other([127, 0, 0, 1]).await,
        Err(AccountError::BadLogin)
    ));
    assert!(matches!(
        other([127, 0, 0, 1]).await,
        Err(AccountError::TooOften { .. })
    ));
    assert!(matches!(
        other([127, 0, 0, 2]).await,
        Err(AccountError::BadLogin)
    ));
    house.hands.advance(Millis::from_secs(30));
    assert!(house.log_in(PASSWORD).await.is_ok());
    assert!(
        house.log_in(PASSWORD).await.is_ok(),
        "a right password is forgiven the wrong ones"
    );
}
