//! The data folder of the embedded stores, and the lock that lets one server at a time serve it.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

const ARCHIVE: &str = "rookery.db";

/// Where accounts and finished games are kept under a folder that another process may be serving: the
/// archive is made for several, the journal is not.
pub fn archive_in(folder: &Path) -> PathBuf {
    folder.join(ARCHIVE)
}

/// A folder this process alone serves, until this value is dropped or the process ends, however it does.
#[derive(Debug)]
pub struct DataFolder {
    path: PathBuf,
    _lock: File,
}

/// Why a data folder cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Another process holds the lock.
    #[error("{} is served by another process", path.display())]
    Served {
        /// The folder.
        path: PathBuf,
    },
    /// It cannot be made or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl DataFolder {
    /// Makes the folder where it is missing, and locks it.
    pub fn lock(path: &Path) -> Result<DataFolder, FolderError> {
        let failed = |source| FolderError::Io {
            path: path.to_owned(),
            source,
        };
        std::fs::create_dir_all(path).map_err(failed)?;
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path.join("lock"))
            .map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(DataFolder {
                path: path.to_owned(),
                _lock: lock,
            }),
            Err(TryLockError::WouldBlock) => Err(FolderError::Served {
                path: path.to_owned(),
            }),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the events of live games are kept.
    pub fn journal(&self) -> PathBuf {
        self.path.join("journal.db")
    }

    /// Where accounts and finished games are kept.
    pub fn archive(&self) -> PathBuf {
        archive_in(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_served_once_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("made/on/the/way");
        let first = DataFolder::lock(&path).unwrap();
        assert!(matches!(
            DataFolder::lock(&path),
            Err(FolderError::Served { .. })
        ));
        drop(first);
        assert!(DataFolder::lock(&path).is_ok());
    }

    #[test]
    fn what_is_no_folder_is_an_error() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(matches!(
            DataFolder::lock(file.path()),
            Err(FolderError::Io { .. })
        ));
    }
}
