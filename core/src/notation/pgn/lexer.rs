//! PGN text to tokens, with the line each stands on. Knows no moves, only what words look like.

use super::error::{PgnError, PgnErrorKind};

/// A token of PGN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`; the value is still escaped.
    Tag { name: &'a str, value: &'a str },
    /// The inside of a comment.
    Comment(&'a str),
    /// `$n`
    Glyph(u8),
    /// `(`
    Open,
    /// `)`
    Close,
    /// A move, a move number, a result: whatever stands between blanks.
    Word(&'a str),
}

/// A text and how far it has been read.
pub(super) struct Lexer<'a> {
    rest: &'a str,
    line: usize,
    at_line_start: bool,
}

/// What ends a word.
const SEPARATORS: &[char] = &['{', '}', '(', ')', '[', ']', ';', '"', '$'];

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        let rest = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        Lexer {
            rest,
            line: 1,
            at_line_start: true,
        }
    }

    /// The next token and the line it begins on; none at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<(usize, Token<'a>)>, PgnError> {
        self.skip_blanks();
        let line = self.line;
        let Some(first) = self.rest.chars().next() else {
            return Ok(None);
        };
        let token = match first {
            '[' => self.tag()?,
            '{' => self.braced_comment()?,
            ';' => Token::Comment(self.skip(1).line_rest()),
            '$' => self.glyph()?,
            '(' => self.sign(Token::Open),
            ')' => self.sign(Token::Close),
            '}' | ']' | '"' => return Err(self.fail(PgnErrorKind::StraySign)),
            _ => Token::Word(self.take_until(|sign| is_blank(sign) || SEPARATORS.contains(&sign))),
        };
        Ok(Some((line, token)))
    }

    /// Blanks, and lines that begin with the escape `%`.
    fn skip_blanks(&mut self) {
        loop {
            if self.at_line_start && self.rest.starts_with('%') {
                self.line_rest();
            }
            self.take_until(|sign| !is_blank(sign) || sign == '\n');
            if !self.rest.starts_with('\n') {
                return;
            }
            self.skip(1);
        }
    }

    fn tag(&mut self) -> Result<Token<'a>, PgnError> {
        self.skip(1).skip_blanks();
        let name = self.take_until(|sign| !(sign.is_ascii_alphanumeric() || sign == '_'));
        self.skip_blanks();
        if name.is_empty() || !self.rest.starts_with('"') {
            return Err(self.fail(PgnErrorKind::BadTag));
        }
        self.skip(1);
        let value = self.quoted()?;
        self.skip_blanks();
        if !self.rest.starts_with(']') {
            return Err(self.fail(PgnErrorKind::BadTag));
        }
        Ok(self.sign(Token::Tag { name, value }))
    }

    /// What stands before the quotation mark that no backslash precedes.
    fn quoted(&mut self) -> Result<&'a str, PgnError> {
        let mut escaped = false;
        let end = self.rest.char_indices().find(|&(_, sign)| {
            let ends = !escaped && sign == '"' || sign == '\n';
            escaped = !escaped && sign == '\\';
            ends
        });
        match end {
            Some((at, '"')) => {
                let value = &self.rest[..at];
                self.skip(at + 1);
                Ok(value)
            }
            _ => Err(self.fail(PgnErrorKind::OpenString)),
        }
    }

    fn braced_comment(&mut self) -> Result<Token<'a>, PgnError> {
        let Some(end) = self.rest.find('}') else {
            return Err(self.fail(PgnErrorKind::OpenComment));
        };
        let text = &self.rest[1..end];
        self.skip(end);
        Ok(self.sign(Token::Comment(text)))
    }

    fn glyph(&mut self) -> Result<Token<'a>, PgnError> {
        let digits = self.skip(1).take_until(|sign| !sign.is_ascii_digit());
        let number = digits
            .parse()
            .map_err(|_| self.fail(PgnErrorKind::BadGlyph))?;
        Ok(Token::Glyph(number))
    }

    fn line_rest(&mut self) -> &'a str {
        self.take_until(|sign| sign == '\n')
    }

    fn take_until(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let taken = &self.rest[..end];
        self.skip(end);
        taken
    }

    /// Goes on by so many bytes, counting lines.
    fn skip(&mut self, bytes: usize) -> &mut Self {
        let (passed, rest) = self.rest.split_at(bytes);
        self.line += passed.bytes().filter(|&byte| byte == b'\n').count();
        if let Some(last) = passed.bytes().last() {
            self.at_line_start = last == b'\n';
        }
        self.rest = rest;
        self
    }

    /// Passes the one-byte sign that completes a token.
    fn sign(&mut self, token: Token<'a>) -> Token<'a> {
        self.skip(1);
        token
    }

    fn fail(&self, kind: PgnErrorKind) -> PgnError {
        PgnError {
            line: self.line,
            kind,
        }
    }
}

fn is_blank(sign: char) -> bool {
    sign.is_whitespace() || sign.is_control()
}
