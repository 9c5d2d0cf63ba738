//! PGN text to games. Moves are judged as they are read, so what comes out is legal. Variations are
//! passed over. Every length is bounded, and a fault is told with its line.

use std::collections::BTreeMap;

use super::error::{PgnError, PgnErrorKind};
use super::lexer::{Lexer, Token};
use super::{PgnGame, command};
use crate::board::Board;
use crate::game::{MAX_PLIES, Score};
use crate::notation::moves::{MoveTextError, read_move};

/// The longest text read, in bytes: some 10,000 games with clocks.
pub const MAX_TEXT: usize = 16 * 1024 * 1024;

/// The most games of one text; more than one tournament ever had.
pub const MAX_GAMES: usize = 10_000;

/// The most tags of one game; the usual databases write about twenty.
pub const MAX_TAGS: usize = 64;

/// The deepest nesting of variations, which annotated collections do not reach.
pub const MAX_NESTING: usize = 32;

/// Suffixes of annotated moves and the glyph each stands for (PGN standard, 8.2.3.8).
const SUFFIXES: [(&str, u8); 6] = [
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("!", 1),
    ("?", 2),
];

/// Words that may follow a capture en passant and say nothing new.
const EN_PASSANT_WORDS: [&str; 5] = ["e.p.", "e.p", "ep", "en", "pt"];

/// The games of a text, in order.
pub fn parse(text: &str) -> Result<Vec<PgnGame>, PgnError> {
    if text.len() > MAX_TEXT {
        return Err(PgnError {
            line: 1,
            kind: PgnErrorKind::TextTooLong,
        });
    }
    let mut reader = Reader {
        lexer: Lexer::new(text),
        line: 1,
        next: None,
    };
    reader.advance()?;
    let mut games = Vec::new();
    while reader.next.is_some() {
        if games.len() == MAX_GAMES {
            return Err(reader.fail(PgnErrorKind::TooManyGames));
        }
        games.push(reader.game()?);
    }
    Ok(games)
}

/// A lexer and one token to look at.
struct Reader<'a> {
    lexer: Lexer<'a>,
    line: usize,
    next: Option<Token<'a>>,
}

impl<'a> Reader<'a> {
    fn game(&mut self) -> Result<PgnGame, PgnError> {
        let (mut tags, preamble) = self.tags()?;
        let mut game = PgnGame::new(self.start(&mut tags)?);
        let announced = tags
            .remove("Result")
            .map(|text| self.result(&text))
            .transpose()?;
        game.tags = tags;
        preamble
            .into_iter()
            .for_each(|comment| note(&mut game, comment));
        let found = self.movetext(&mut game)?;
        if found.is_some() && announced.is_some() && found != announced {
            return Err(self.fail(PgnErrorKind::ResultsDiffer));
        }
        game.result = found.or(announced).unwrap_or(Score::Void);
        Ok(game)
    }

    /// The tags of a game, and the comments among them.
    fn tags(&mut self) -> Result<(BTreeMap<String, String>, Vec<&'a str>), PgnError> {
        let (mut tags, mut comments) = (BTreeMap::new(), Vec::new());
        loop {
            match self.next {
                Some(Token::Tag { name, value }) => {
                    if tags.len() == MAX_TAGS {
                        return Err(self.fail(PgnErrorKind::TooManyTags));
                    }
                    if tags.insert(name.to_owned(), unescape(value)).is_some() {
                        return Err(self.fail(PgnErrorKind::DuplicateTag));
                    }
                }
                Some(Token::Comment(text)) => comments.push(text),
                _ => return Ok((tags, comments)),
            }
            self.advance()?;
        }
    }

    fn start(&self, tags: &mut BTreeMap<String, String>) -> Result<Board, PgnError> {
        tags.remove("SetUp");
        match tags.remove("FEN") {
            Some(fen) => Board::from_fen(&fen).map_err(|_| self.fail(PgnErrorKind::BadFen)),
            None => Ok(Board::default()),
        }
    }

    fn result(&self, text: &str) -> Result<Score, PgnError> {
        result(text).ok_or_else(|| self.fail(PgnErrorKind::BadResult))
    }

    /// Reads up to the result, or to what must be another game.
    fn movetext(&mut self, game: &mut PgnGame) -> Result<Option<Score>, PgnError> {
        while let Some(token) = self.next {
            match token {
                Token::Tag { .. } => return Ok(None),
                Token::Comment(text) => note(game, text),
                Token::Glyph(glyph) => add_glyph(game, glyph),
                Token::Open => self.skip_variation()?,
                Token::Close => return Err(self.fail(PgnErrorKind::StraySign)),
                Token::Word(word) => match result(word) {
                    Some(result) => {
                        self.advance()?;
                        self.closing_comments(game)?;
                        return Ok(Some(result));
                    }
                    None => self.word(game, word)?,
                },
            }
            self.advance()?;
        }
        Ok(None)
    }

    /// Comments right after the result belong to the game before them.
    fn closing_comments(&mut self, game: &mut PgnGame) -> Result<(), PgnError> {
        while let Some(Token::Comment(text)) = self.next {
            note(game, text);
            self.advance()?;
        }
        Ok(())
    }

    /// A move, its number, or both in one.
    fn word(&self, game: &mut PgnGame, word: &str) -> Result<(), PgnError> {
        let word = without_number(word);
        let suffix = SUFFIXES.iter().find(|(suffix, _)| word.ends_with(suffix));
        let text = suffix.map_or(word, |(suffix, _)| &word[..word.len() - suffix.len()]);
        if !text.is_empty() && !EN_PASSANT_WORDS.contains(&text) {
            self.play(game, text)?;
        }
        if let Some(&(_, glyph)) = suffix {
            add_glyph(game, glyph);
        }
        Ok(())
    }

    fn play(&self, game: &mut PgnGame, text: &str) -> Result<(), PgnError> {
        let mv = read_move(game.end(), text).map_err(|error| {
            self.fail(match error {
                MoveTextError::NotAMove => PgnErrorKind::NotAMove,
                MoveTextError::Illegal => PgnErrorKind::IllegalMove,
                MoveTextError::Ambiguous => PgnErrorKind::AmbiguousMove,
            })
        })?;
        if game.moves().len() == MAX_PLIES as usize {
            return Err(self.fail(PgnErrorKind::TooManyMoves));
        }
        game.play(mv);
        Ok(())
    }

    /// Goes on to the parenthesis that closes the one at hand.
    fn skip_variation(&mut self) -> Result<(), PgnError> {
        let opened = self.fail(PgnErrorKind::OpenVariation);
        let mut depth = 1;
        while depth > 0 {
            self.advance()?;
            match self.next {
                Some(Token::Open) if depth == MAX_NESTING => {
                    return Err(self.fail(PgnErrorKind::NestedTooDeeply));
                }
                Some(Token::Open) => depth += 1,
                Some(Token::Close) => depth -= 1,
                Some(Token::Tag { .. }) | None => return Err(opened),
                Some(_) => {}
            }
        }
        Ok(())
    }

    fn advance(&mut self) -> Result<(), PgnError> {
        let placed = self.lexer.next()?;
        self.line = placed.map_or(self.line, |(line, _)| line);
        self.next = placed.map(|(_, token)| token);
        Ok(())
    }

    fn fail(&self, kind: PgnErrorKind) -> PgnError {
        PgnError {
            line: self.line,
            kind,
        }
    }
}

fn result(text: &str) -> Option<Score> {
    match text {
        "1-0" => Some(Score::WhiteWins),
        "0-1" => Some(Score::BlackWins),
        "1/2-1/2" | "1/2" => Some(Score::Draw),
        "*" => Some(Score::Void),
        _ => None,
    }
}

fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
    if rest.is_empty() || rest.starts_with(['.', '…']) {
        rest.trim_start_matches(['.', '…'])
    } else {
        word
    }
}

fn add_glyph(game: &mut PgnGame, glyph: u8) {
    if let Some(last) = game.moves.last_mut() {
        last.nags.push(glyph);
    }
}

/// Keeps a comment, with its commands where they belong and its blanks single.
fn note(game: &mut PgnGame, comment: &str) {
    let mut text = comment
        .split(is_blank)
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    if let Some(last) = game.moves.last_mut() {
        for (name, place) in [
            (command::CLOCK, &mut last.clock),
            (command::LAG, &mut last.credit),
        ] {
            if let Some((span, rest)) = command::take(name, &text) {
                (*place, text) = (Some(span), rest);
            }
        }
    }
    if !text.is_empty() {
        game.annotate(text);
    }
}

fn is_blank(sign: char) -> bool {
    sign.is_whitespace() || sign.is_control()
}

fn unescape(value: &str) -> String {
    let mut signs = value.chars();
    std::iter::from_fn(|| match signs.next()? {
        '\\' => Some(signs.next().unwrap_or('\\')),
        sign => Some(sign),
    })
    .collect()
}
