//! What each man reaches on an 8x8 board, by stepping from square to square.

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Colour {
    White,
    Black,
}

impl Colour {
    pub(super) fn other(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }

    /// The squares a pawn of this colour takes on.
    pub(super) fn pawn_targets(self, from: usize) -> Vec<usize> {
        let up = if self == Colour::White { 1 } else { -1 };
        [(-1, up), (1, up)]
            .into_iter()
            .filter_map(|by| shifted(from, by))
            .collect()
    }
}

/// A man; its kind is a lower-case letter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Man {
    pub(super) colour: Colour,
    pub(super) kind: char,
}

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const SLANTED: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const ALL_WAYS: [(i32, i32); 8] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (1, -1),
    (-1, 1),
    (-1, -1),
];
const JUMPS: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (-1, 2),
    (-2, 1),
    (1, -2),
    (2, -1),
    (-1, -2),
    (-2, -1),
];

impl Man {
    pub(super) fn of_letter(letter: char) -> Man {
        let colour = if letter.is_uppercase() {
            Colour::White
        } else {
            Colour::Black
        };
        Man {
            colour,
            kind: letter.to_ascii_lowercase(),
        }
    }

    pub(super) fn letter(self) -> char {
        match self.colour {
            Colour::White => self.kind.to_ascii_uppercase(),
            Colour::Black => self.kind,
        }
    }

    /// The squares a man other than a pawn reaches, up to and including the first one occupied.
    pub(super) fn reach(self, from: usize, occupied: impl Fn(usize) -> bool) -> Vec<usize> {
        let (ways, far): (&[_], bool) = match self.kind {
            'r' => (&STRAIGHT, true),
            'b' => (&SLANTED, true),
            'q' => (&ALL_WAYS, true),
            'k' => (&ALL_WAYS, false),
            _ => (&JUMPS, false),
        };
        let mut squares = Vec::new();
        for &way in ways {
            let mut at = from;
            while let Some(next) = shifted(at, way) {
                squares.push(next);
                if !far || occupied(next) {
                    break;
                }
                at = next;
            }
        }
        squares
    }
}

fn shifted(square: usize, (files, ranks): (i32, i32)) -> Option<usize> {
    let (file, rank) = (square as i32 % 8 + files, square as i32 / 8 + ranks);
    let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
    on_board.then_some((rank * 8 + file) as usize)
}
