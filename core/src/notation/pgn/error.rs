//! Why a text is not a list of games, and where.

/// A fault and the line it stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct PgnError {
    /// The line, counted from 1.
    pub line: usize,
    /// The fault.
    pub kind: PgnErrorKind,
}

/// The faults. Only the first one of a text is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnErrorKind {
    /// More than [`MAX_TEXT`](super::MAX_TEXT) bytes.
    #[error("the text is too long")]
    TextTooLong,
    /// More than [`MAX_GAMES`](super::MAX_GAMES).
    #[error("there are too many games")]
    TooManyGames,
    /// More than [`MAX_TAGS`](super::MAX_TAGS) in one game.
    #[error("the game has too many tags")]
    TooManyTags,
    /// More half-moves than a game here can have.
    #[error("the game has too many moves")]
    TooManyMoves,
    /// Variations within variations, deeper than [`MAX_NESTING`](super::MAX_NESTING).
    #[error("variations are nested too deeply")]
    NestedTooDeeply,
    /// Not `[Name "value"]`.
    #[error("a tag is written like [White \"Name\"]")]
    BadTag,
    /// The same tag twice in one game.
    #[error("the tag was given before")]
    DuplicateTag,
    /// A quotation without its end on the same line.
    #[error("the quotation does not end")]
    OpenString,
    /// A `{` without its `}`.
    #[error("the comment does not end")]
    OpenComment,
    /// A `(` without its `)`.
    #[error("the variation does not end")]
    OpenVariation,
    /// A `)` or `}` that closes nothing, or another sign without a meaning here.
    #[error("the sign has no meaning here")]
    StraySign,
    /// A `$` without a number from 0 to 255.
    #[error("a glyph is $0 to $255")]
    BadGlyph,
    /// The tag `FEN` is not a legal position.
    #[error("the FEN is not a legal position")]
    BadFen,
    /// A word that is not a move.
    #[error("this is not a move")]
    NotAMove,
    /// A move that the position does not allow.
    #[error("the move is not legal")]
    IllegalMove,
    /// A move that more than one man could make.
    #[error("the move is ambiguous")]
    AmbiguousMove,
    /// The tag `Result` is no result.
    #[error("a result is 1-0, 0-1, 1/2-1/2 or *")]
    BadResult,
    /// The tag `Result` and the end of the moves differ.
    #[error("the result differs from the tag")]
    ResultsDiffer,
}

impl PgnErrorKind {
    /// The stable name.
    pub const fn code(self) -> &'static str {
        match self {
            PgnErrorKind::TextTooLong => "text_too_long",
            PgnErrorKind::TooManyGames => "too_many_games",
            PgnErrorKind::TooManyTags => "too_many_tags",
            PgnErrorKind::TooManyMoves => "too_many_moves",
            PgnErrorKind::NestedTooDeeply => "nested_too_deeply",
            PgnErrorKind::BadTag => "bad_tag",
            PgnErrorKind::DuplicateTag => "duplicate_tag",
            PgnErrorKind::OpenString => "open_string",
            PgnErrorKind::OpenComment => "open_comment",
            PgnErrorKind::OpenVariation => "open_variation",
            PgnErrorKind::StraySign => "stray_sign",
            PgnErrorKind::BadGlyph => "bad_glyph",
            PgnErrorKind::BadFen => "bad_fen",
            PgnErrorKind::NotAMove => "not_a_move",
            PgnErrorKind::IllegalMove => "illegal_move",
            PgnErrorKind::AmbiguousMove => "ambiguous_move",
            PgnErrorKind::BadResult => "bad_result",
            PgnErrorKind::ResultsDiffer => "results_differ",
        }
    }
}
