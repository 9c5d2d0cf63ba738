//! A second referee, deliberately naive: a mailbox board that tries every move and sees whether the
//! king could then be taken. Shares no code with the real one and knows no move library.

mod fen;
mod men;

use men::{Colour, Man};

/// A move: from, to, and the letter a pawn becomes.
pub(crate) type Step = (usize, usize, Option<char>);

/// Squares are numbered a1 = 0, b1 = 1, … h8 = 63.
#[derive(Clone)]
pub(crate) struct NaiveBoard {
    men: [Option<Man>; 64],
    turn: Colour,
    /// K, Q, k, q in this order.
    castling: [bool; 4],
    passed: Option<usize>,
    half_moves: u32,
    number: u32,
}

impl NaiveBoard {
    pub(crate) fn is_check(&self) -> bool {
        self.is_attacked_by(self.turn.other(), self.king_of(self.turn))
    }

    /// Nobody can mate: nothing but kings, one minor piece, or bishops that all stand on one colour.
    pub(crate) fn is_dead(&self) -> bool {
        let others: Vec<(usize, char)> = (0..64)
            .filter_map(|square| self.men[square].map(|man| (square, man.kind)))
            .filter(|(_, kind)| *kind != 'k')
            .collect();
        let all_bishops_on = |dark| {
            others
                .iter()
                .all(|&(square, kind)| kind == 'b' && is_dark(square) == dark)
        };
        match others[..] {
            [] | [(_, 'b' | 'n')] => true,
            _ => all_bishops_on(true) || all_bishops_on(false),
        }
    }

    /// Every step after which the own king cannot be taken.
    pub(crate) fn legal_steps(&self) -> Vec<Step> {
        let mut steps = self.castling_steps();
        for from in 0..64 {
            if self.men[from].is_some_and(|man| man.colour == self.turn) {
                self.add_steps(from, &mut steps);
            }
        }
        steps.retain(|&step| {
            let after = self.after(step);
            !after.is_attacked_by(after.turn, after.king_of(self.turn))
        });
        steps
    }

    pub(crate) fn after(&self, step: Step) -> NaiveBoard {
        let (from, to, promotion) = step;
        let man = self.men[from].expect("somebody moves");
        let mut next = self.clone();
        let takes = self.men[to].is_some() || self.is_en_passant(&step);
        if self.is_en_passant(&step) {
            next.men[from / 8 * 8 + to % 8] = None;
        }
        if man.kind == 'k' && from.abs_diff(to) == 2 {
            let (corner, crossed) = if to > from {
                (from + 3, from + 1)
            } else {
                (from - 4, from - 1)
            };
            next.men[crossed] = next.men[corner].take();
        }
        next.men[from] = None;
        next.men[to] = Some(Man {
            kind: promotion.unwrap_or(man.kind),
            ..man
        });
        next.castling = self.rights_after(from, to);
        let double = man.kind == 'p' && from.abs_diff(to) == 16;
        next.passed = double.then_some((from + to) / 2);
        next.half_moves = if takes || man.kind == 'p' {
            0
        } else {
            self.half_moves + 1
        };
        next.number += u32::from(self.turn == Colour::Black);
        next.turn = self.turn.other();
        next
    }

    /// Castling, a double step, a promotion or a capture en passant.
    pub(crate) fn is_rare(&self, step: &Step) -> bool {
        let &(from, to, promotion) = step;
        let kind = self.men[from].map(|man| man.kind);
        promotion.is_some()
            || self.is_en_passant(step)
            || (kind == Some('k') && from.abs_diff(to) == 2)
            || (kind == Some('p') && from.abs_diff(to) == 16)
    }

    fn rights_after(&self, from: usize, to: usize) -> [bool; 4] {
        let homes = [[4, 7], [4, 0], [60, 63], [60, 56]];
        std::array::from_fn(|right| {
            self.castling[right] && !homes[right].iter().any(|&home| home == from || home == to)
        })
    }

    fn is_en_passant(&self, &(from, to, _): &Step) -> bool {
        self.men[from].is_some_and(|man| man.kind == 'p')
            && Some(to) == self.passed
            && from % 8 != to % 8
    }

    fn castling_steps(&self) -> Vec<Step> {
        let (king, first) = if self.turn == Colour::White {
            (4, 0)
        } else {
            (60, 2)
        };
        let enemy = self.turn.other();
        let free = |squares: &[usize]| squares.iter().all(|&square| self.men[square].is_none());
        let safe = |squares: &[usize]| {
            squares
                .iter()
                .all(|&square| !self.is_attacked_by(enemy, square))
        };
        let short = self.castling[first]
            && free(&[king + 1, king + 2])
            && safe(&[king, king + 1, king + 2]);
        let long = self.castling[first + 1]
            && free(&[king - 1, king - 2, king - 3])
            && safe(&[king, king - 1, king - 2]);
        let steps = [
            short.then_some((king, king + 2, None)),
            long.then_some((king, king - 2, None)),
        ];
        steps.into_iter().flatten().collect()
    }

    fn add_steps(&self, from: usize, steps: &mut Vec<Step>) {
        let man = self.men[from].expect("a man stands there");
        if man.kind == 'p' {
            return self.add_pawn_steps(from, man.colour, steps);
        }
        for to in man.reach(from, |square| self.men[square].is_some()) {
            if self.men[to].is_none_or(|other| other.colour != man.colour) {
                steps.push((from, to, None));
            }
        }
    }

    fn add_pawn_steps(&self, from: usize, colour: Colour, steps: &mut Vec<Step>) {
        let forward = |square: usize| match colour {
            Colour::White => square + 8,
            Colour::Black => square - 8,
        };
        let home = if colour == Colour::White { 1 } else { 6 };
        let next = forward(from);
        let mut targets = Vec::new();
        if self.men[next].is_none() {
            targets.push(next);
            if from / 8 == home && self.men[forward(next)].is_none() {
                targets.push(forward(next));
            }
        }
        for to in colour.pawn_targets(from) {
            let enemy = self.men[to].is_some_and(|man| man.colour != colour);
            if enemy || self.passed == Some(to) {
                targets.push(to);
            }
        }
        for to in targets {
            match to / 8 {
                0 | 7 => steps.extend(['q', 'r', 'b', 'n'].map(|kind| (from, to, Some(kind)))),
                _ => steps.push((from, to, None)),
            }
        }
    }

    fn is_attacked_by(&self, colour: Colour, target: usize) -> bool {
        (0..64).any(|from| match self.men[from] {
            Some(man) if man.colour == colour && man.kind == 'p' => {
                colour.pawn_targets(from).contains(&target)
            }
            Some(man) if man.colour == colour => man
                .reach(from, |square| self.men[square].is_some())
                .contains(&target),
            _ => false,
        })
    }

    fn king_of(&self, colour: Colour) -> usize {
        let is_king = |man: &Option<Man>| *man == Some(Man { colour, kind: 'k' });
        self.men.iter().position(is_king).expect("both have a king")
    }
}

/// A step as UCI writes it.
pub(crate) fn uci((from, to, promotion): Step) -> String {
    let mut text = fen::name(from) + &fen::name(to);
    text.extend(promotion);
    text
}

fn is_dark(square: usize) -> bool {
    (square / 8 + square % 8).is_multiple_of(2)
}
