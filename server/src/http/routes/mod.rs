//! Every operation of the REST interface.

mod account;
mod entering;
mod export;
mod games;
mod lobby;
mod players;
mod sessions;

use super::operation::Operation;

/// The operations, in the order of the document.
pub(super) fn operations() -> Vec<Operation> {
    let groups = [
        entering::operations(),
        account::operations(),
        sessions::operations(),
        players::operations(),
        games::operations(),
        lobby::operations(),
    ];
    groups.into_iter().flatten().collect()
}
