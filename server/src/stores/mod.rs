//! What is kept, and where. Each store says what it promises; how its twin lays out a row is the
//! twin's own business.

pub mod archive;
pub mod directory;
pub mod folder;
pub mod journal;
pub mod presence;

pub use folder::{DataFolder, FolderError};
