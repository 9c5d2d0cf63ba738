//! The naive board to and from FEN.

use super::men::{Colour, Man};
use super::{NaiveBoard, Step};

const RIGHTS: [char; 4] = ['K', 'Q', 'k', 'q'];

impl NaiveBoard {
    pub(crate) fn from_fen(fen: &str) -> NaiveBoard {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut men = [None; 64];
        for (down, row) in fields[0].split('/').enumerate() {
            let mut square = (7 - down) * 8;
            for sign in row.chars() {
                match sign.to_digit(10) {
                    Some(empty) => square += empty as usize,
                    None => {
                        men[square] = Some(Man::of_letter(sign));
                        square += 1;
                    }
                }
            }
        }
        NaiveBoard {
            men,
            turn: if fields[1] == "w" {
                Colour::White
            } else {
                Colour::Black
            },
            castling: RIGHTS.map(|letter| fields[2].contains(letter)),
            passed: (0..64).find(|&square| name(square) == fields[3]),
            half_moves: fields[4].parse().unwrap(),
            number: fields[5].parse().unwrap(),
        }
    }

    pub(crate) fn fen(&self) -> String {
        format!("{} {} {}", self.key(), self.half_moves, self.number)
    }

    /// What makes two positions the same, as text: the first four fields of the FEN, the passed square
    /// only while a pawn can really take there.
    pub(crate) fn key(&self) -> String {
        let rows: Vec<String> = self.men.chunks(8).rev().map(row).collect();
        let turn = if self.turn == Colour::White { 'w' } else { 'b' };
        let has = |&(_, has): &(char, bool)| has;
        let rights: String = RIGHTS
            .into_iter()
            .zip(self.castling)
            .filter(has)
            .map(|(letter, _)| letter)
            .collect();
        let rights = if rights.is_empty() { "-" } else { &rights };
        let takes = |step: &Step| self.is_en_passant(step);
        let taken = self
            .passed
            .filter(|_| self.legal_steps().iter().any(takes))
            .map(name);
        format!(
            "{} {turn} {rights} {}",
            rows.join("/"),
            taken.as_deref().unwrap_or("-")
        )
    }
}

fn row(men: &[Option<Man>]) -> String {
    let signs: String = men.iter().map(|man| man.map_or('1', Man::letter)).collect();
    // The longest run of empty squares first, so that no number is made of two.
    (2..=8).rev().fold(signs, |row, empty| {
        row.replace(&"1".repeat(empty), &empty.to_string())
    })
}

pub(super) fn name(square: usize) -> String {
    format!(
        "{}{}",
        char::from(b'a' + (square % 8) as u8),
        square / 8 + 1
    )
}
