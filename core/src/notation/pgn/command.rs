//! Commands in comments: `[%clk 0:02:58.5]`, `[%lag 0:00:00.12]`. Knows no moves.

use crate::time::Millis;

/// The time left after a move.
pub(super) const CLOCK: &str = "clk";

/// The lag given back for a move.
pub(super) const LAG: &str = "lag";

/// The longest clock believed: 1,000 hours.
const MAX_HOURS: u64 = 1_000;

/// `[%name h:mm:ss.fff]`
pub(super) fn write(name: &str, span: Millis) -> String {
    format!("[%{name} {}]", self::span(span))
}

/// `h:mm:ss.fff`, without trailing zeros of the fraction.
pub(super) fn span(span: Millis) -> String {
    let (seconds, millis) = (span.0 / 1000, span.0 % 1000);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let text = format!("{hours}:{minutes:02}:{:02}", seconds % 60);
    match millis {
        0 => text,
        _ => text + format!(".{millis:03}").trim_end_matches('0'),
    }
}

/// The span a command of that name gives, and the comment without it.
pub(super) fn take(name: &str, comment: &str) -> Option<(Millis, String)> {
    let start = comment.find(&format!("[%{name} "))?;
    let (before, command) = comment.split_at(start);
    let (command, after) = command.split_once(']')?;
    let (_, value) = command.split_once(' ')?;
    let rest = [before.trim(), after.trim()].join(" ").trim().to_owned();
    Some((parse_span(value.trim())?, rest))
}

fn parse_span(text: &str) -> Option<Millis> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let mut fields = whole.split(':');
    let (hours, minutes, seconds) = (fields.next()?, fields.next()?, fields.next()?);
    if fields.next().is_some() {
        return None;
    }
    let (hours, minutes, seconds) = (number(hours)?, number(minutes)?, number(seconds)?);
    if hours > MAX_HOURS || minutes > 59 || seconds > 59 {
        return None;
    }
    let millis = number(&format!("{:0<3}", fraction.get(..3).unwrap_or(fraction)))?;
    Some(Millis(
        ((hours * 60 + minutes) * 60 + seconds) * 1000 + millis,
    ))
}

fn number(digits: &str) -> Option<u64> {
    digits
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| digits.parse().ok())?
}
