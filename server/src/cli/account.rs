//! `rookery account …`: what an operator does with accounts, beside a server that may be running on the
//! same folder.

use clap::{Args, Subcommand};
use rookery_server::accounts::{AccountError, Accounts, HashError, TokenScope};
use rookery_server::clock::Clock;
use rookery_server::config::Config;
use rookery_server::gateway::Sessions;
use rookery_server::stores::archive::{Archive, ArchiveError};
use rookery_server::stores::folder::archive_in;

use super::password::{self, Password};
use super::settings::SettingsArgs;
use super::{Failure, exit, print};

#[derive(Debug, Subcommand)]
pub(crate) enum AccountCommand {
    /// Make an account; without a password given, one is made and printed.
    #[command(after_help = "Examples:
  rookery account create ada --data ./data
  rookery account create deepmate --bot --data ./data
  echo 'correct horse battery' | rookery account create ada --password-stdin --data ./data")]
    Create(CreateArgs),
    /// Set another password; every session of the account ends.
    #[command(after_help = "Example:
  rookery account password ada --data ./data")]
    Password(PasswordArgs),
    /// Make a token for a program; the token alone goes to stdout.
    #[command(after_help = "Example:
  rookery account token deepmate --scope play --scope challenge --data ./data")]
    Token(TokenArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CreateArgs {
    /// 2 to 20 characters of [0-9A-Za-z_-], a letter or digit first.
    name: String,
    /// It is a program's account.
    #[arg(long)]
    bot: bool,
    /// Read the password from stdin, one line.
    #[arg(long)]
    password_stdin: bool,
    #[command(flatten)]
    settings: SettingsArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PasswordArgs {
    /// Whose.
    name: String,
    /// Read the password from stdin, one line.
    #[arg(long)]
    password_stdin: bool,
    #[command(flatten)]
    settings: SettingsArgs,
}

#[derive(Debug, Args)]
pub(crate) struct TokenArgs {
    /// Whose.
    name: String,
    /// What it allows: play, challenge, chat, account:read, bot:play, board:play, challenge:read,
    /// challenge:write; repeatable.
    #[arg(long, value_name = "SCOPE", required = true)]
    scope: Vec<TokenScope>,
    /// What to call it in the account's list.
    #[arg(long, default_value = "made by the operator")]
    label: String,
    #[command(flatten)]
    settings: SettingsArgs,
}

pub(crate) fn run(command: AccountCommand) -> Result<(), Failure> {
    match command {
        AccountCommand::Create(args) => create(&args),
        AccountCommand::Password(args) => replace_password(&args),
        AccountCommand::Token(args) => make_token(&args),
    }
}

fn create(args: &CreateArgs) -> Result<(), Failure> {
    let config = args.settings.load(&[])?.config;
    let password = password::obtain(args.password_stdin)?;
    let work =
        async |accounts: Accounts| accounts.create(&args.name, &password.text, args.bot).await;
    on_accounts(config, work)?;
    print_made(&password)
}

fn replace_password(args: &PasswordArgs) -> Result<(), Failure> {
    let config = args.settings.load(&[])?.config;
    let password = password::obtain(args.password_stdin)?;
    let work =
        async |accounts: Accounts| accounts.replace_password(&args.name, &password.text).await;
    on_accounts(config, work)?;
    print_made(&password)
}

fn make_token(args: &TokenArgs) -> Result<(), Failure> {
    let config = args.settings.load(&[])?.config;
    let work = async |accounts: Accounts| {
        let account = accounts.named(&args.name).await?;
        accounts
            .make_token(account.player, &args.label, &args.scope)
            .await
    };
    let made = on_accounts(config, work)?;
    print(&format!("{}\n", made.text))
}

fn print_made(password: &Password) -> Result<(), Failure> {
    if password.made {
        print(&format!("{}\n", password.text))
    } else {
        Ok(())
    }
}

/// Does something with the accounts under the folder of the stores.
fn on_accounts<T>(
    config: Config,
    work: impl AsyncFnOnce(Accounts) -> Result<T, AccountError>,
) -> Result<T, Failure> {
    let data = config.store.data;
    let unavailable = |error: &dyn std::fmt::Display| Failure::new(exit::UNAVAILABLE, error);
    std::fs::create_dir_all(&data)
        .map_err(|error| unavailable(&format!("{}: {error}", data.display())))?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| unavailable(&error))?;
    runtime.block_on(async {
        let archive = Archive::open(&archive_in(&data))
            .await
            .map_err(|error| unavailable(&error))?;
        let online = Sessions::new(&config.gateway);
        let accounts = Accounts::open(archive.clone(), Clock::system(), config.accounts, online);
        let done = match accounts.await {
            Ok(accounts) => work(accounts).await,
            Err(error) => Err(error),
        };
        archive.close().await;
        done.map_err(failure)
    })
}

fn failure(error: AccountError) -> Failure {
    let code = match &error {
        AccountError::UnknownAccount => exit::NO_USER,
        AccountError::Archive(ArchiveError::Unavailable(_)) => exit::UNAVAILABLE,
        AccountError::Archive(_) | AccountError::Chance(_) => exit::SOFTWARE,
        AccountError::Hash(HashError::Busy | HashError::Broken) => exit::SOFTWARE,
        _ => exit::DATA,
    };
    Failure::new(code, error)
}
