//! Who can still mate, told from the letters of the position (laws, section 2 on the flag).

use rookery_core::id::Seat;
use shakmaty::{Chess, Position, Role, Square};

/// The men of one side but the king, each with the colour of its square.
fn men(position: &Chess, seat: Seat) -> Vec<(Role, bool)> {
    let mut men = Vec::new();
    for square in Square::ALL {
        if let Some(piece) = position.board().piece_at(square)
            && Seat::from(piece.color) == seat
            && piece.role != Role::King
        {
            men.push((piece.role, square.is_dark()));
        }
    }
    men
}

pub(super) fn bare_king(position: &Chess, seat: Seat) -> bool {
    men(position, seat).is_empty()
}

pub(super) fn can_mate(position: &Chess, seat: Seat) -> bool {
    let own = men(position, seat);
    let others = men(position, seat.other());
    if own.is_empty() {
        return false;
    }
    // King and knight against king and nothing but queens.
    if own.len() == 1 && own[0].0 == Role::Knight && others.iter().all(|man| man.0 == Role::Queen) {
        return false;
    }
    // King and bishops of one colour, where nobody has a knight, a pawn or a bishop of the other colour.
    let dark = own[0].1;
    let bishops_of_one_colour = own.iter().all(|&man| man == (Role::Bishop, dark));
    let no_help = others.iter().all(|&(role, on_dark)| match role {
        Role::Knight | Role::Pawn => false,
        Role::Bishop => on_dark == dark,
        _ => true,
    });
    !(bishops_of_one_colour && no_help)
}
