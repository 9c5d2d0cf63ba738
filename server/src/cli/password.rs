//! Where a password comes from: a pipe, a terminal that does not show it, or chance.

use std::io::{BufRead, IsTerminal, Write, stdin};

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use super::{Failure, exit};

/// Characters of a password we make: 62^20 is more than 118 bits.
const MADE_CHARS: usize = 20;

/// A password, and whether we made it, so that it must be shown.
pub(crate) struct Password {
    pub(crate) text: String,
    pub(crate) made: bool,
}

/// Reads one line of stdin when told to, asks at a terminal, and makes one otherwise.
pub(crate) fn obtain(from_stdin: bool) -> Result<Password, Failure> {
    if from_stdin {
        return Ok(Password {
            text: line()?,
            made: false,
        });
    }
    if stdin().is_terminal() {
        let text = ask("Password (empty: make one): ")?;
        if !text.is_empty() {
            return confirm(text);
        }
    }
    let text = rookery_server::accounts::random_text(MADE_CHARS)
        .map_err(|error| Failure::new(exit::UNAVAILABLE, error))?;
    Ok(Password { text, made: true })
}

fn confirm(text: String) -> Result<Password, Failure> {
    if ask("Again: ")? == text {
        Ok(Password { text, made: false })
    } else {
        Err(Failure::new(exit::DATA, "the two passwords differ"))
    }
}

fn ask(question: &str) -> Result<String, Failure> {
    let mut terminal = std::io::stderr();
    let _ = write!(terminal, "{question}");
    let hidden = Hidden::start();
    let answer = line();
    drop(hidden);
    let _ = writeln!(terminal);
    answer
}

fn line() -> Result<String, Failure> {
    let mut text = String::new();
    let read = stdin().lock().read_line(&mut text);
    read.map_err(|error| Failure::new(exit::DATA, format!("cannot read a password: {error}")))?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

/// A terminal that does not show what is typed, until this is dropped.
struct Hidden(Option<Termios>);

impl Hidden {
    fn start() -> Hidden {
        let before = tcgetattr(stdin()).ok();
        if let Some(mut modes) = before.clone() {
            modes.local_modes -= LocalModes::ECHO;
            // A terminal that cannot be told so shows the password to its owner alone.
            let _ = tcsetattr(stdin(), OptionalActions::Flush, &modes);
        }
        Hidden(before)
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        if let Some(modes) = &self.0 {
            let _ = tcsetattr(stdin(), OptionalActions::Flush, modes);
        }
    }
}
