//! A server for one test, and innocent players in it.

use std::path::PathBuf;
use std::time::Duration;

use rookery_core::notation::pgn;
use rookery_loadtest::client::{ClientError, Patience, Player, Table, Target, Wish, guest};
use rookery_loadtest::replay::{Pace, play};
use rookery_loadtest::rig::{Rig, Running};
use rookery_loadtest::script::Script;
use rookery_loadtest::verdict::judge;
use rookery_protocol::{Auth, ErrorCode};
use tempfile::TempDir;

/// Morphy against two allies, Paris 1858: 33 half-moves, castling, mate.
const OPERA: &str = r#"[Termination "checkmate"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"#;

pub(crate) const PATIENCE: Patience = Patience {
    answer: Duration::from_secs(20),
    reconnect: Duration::from_secs(20),
};

/// A running server with its own folder.
pub(crate) struct House {
    pub(crate) rig: Rig,
    pub(crate) running: Running,
    folder: TempDir,
}

impl House {
    pub(crate) async fn open() -> House {
        House::open_with(&[]).await
    }

    /// With these settings, as `("gateway", "hello_timeout_ms", "300")`.
    pub(crate) async fn open_with(settings: &[(&str, &str, &str)]) -> House {
        let folder = tempfile::tempdir().unwrap();
        let mut rig = Rig::new(&binary(), folder.path()).unwrap();
        for (group, key, value) in settings {
            rig.set(group, key, value);
        }
        let (running, _) = rig.start().await.unwrap();
        House {
            rig,
            running,
            folder,
        }
    }

    pub(crate) fn target(&self) -> Target {
        self.rig.target()
    }

    /// Starts it again over the same folder.
    pub(crate) async fn reopen(&mut self) {
        self.running = self.rig.start().await.unwrap().0;
    }

    pub(crate) fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    pub(crate) async fn ticket(&self) -> Auth {
        guest(&self.target()).await.unwrap().ticket
    }

    pub(crate) async fn guest(&self) -> Player {
        Player::enter(&self.target(), Some(self.ticket().await), PATIENCE)
            .await
            .unwrap()
    }

    pub(crate) async fn table(&self, control: &str) -> Table {
        let wish = Wish::casual(control).unwrap();
        Table::of_guests(&self.target(), &wish, PATIENCE)
            .await
            .unwrap()
    }

    /// Two innocent players finish a game while something is done to the server.
    pub(crate) async fn beside_a_game<T>(&self, deed: impl Future<Output = T>) -> T {
        let innocent = async {
            let target = self.target();
            let script = opera();
            let mut table = self.table("300+2").await;
            play(&mut table, &script, &mut Steady).await.unwrap();
            judge(&mut table, &script, &target, &[]).await.unwrap();
            assert_eq!((table.white.cuts(), table.black.cuts()), (0, 0));
            table.leave().await;
        };
        tokio::join!(innocent, deed).1
    }
}

/// A game slow enough that others can do harm meanwhile.
struct Steady;

impl Pace for Steady {
    fn think(&mut self) -> Duration {
        Duration::from_millis(30)
    }
}

pub(crate) fn opera() -> Script {
    let games = pgn::parse(OPERA).unwrap();
    Script::of(1, &games[0]).unwrap()
}

/// The code of a refusal.
pub(crate) fn code<T: std::fmt::Debug>(asked: Result<T, ClientError>) -> ErrorCode {
    match asked {
        Err(ClientError::Refused { code, .. }) => code,
        other => panic!("not refused: {other:?}"),
    }
}

pub(crate) fn binary() -> PathBuf {
    let named = std::env::var_os("ROOKERY_BIN").map(PathBuf::from);
    let beside = || {
        let test = std::env::current_exe().unwrap();
        test.parent()
            .and_then(|deps| deps.parent())
            .unwrap()
            .join("rookery")
    };
    let binary = named.unwrap_or_else(beside);
    assert!(
        binary.is_file(),
        "{} is not built: cargo build -p rookery-server, or set ROOKERY_BIN",
        binary.display()
    );
    binary
}
