//! What a move costs on the wire: `cargo run --release -p rookery-protocol --example speed`.

use std::hint::black_box;
use std::time::Instant;

use rookery_protocol::{ClientMessage, ServerMessage};

const ROUNDS: u32 = 1_000_000;

const MOVE: &str =
    r#"{"t":"move","id":1764547200123007,"game":"01KBAxM7tV3qLe9ZpWcY2n","ply":96,"uci":"b7b8q"}"#;

const MOVE_TAG_LAST: &str =
    r#"{"id":1764547200123007,"game":"01KBAxM7tV3qLe9ZpWcY2n","ply":96,"uci":"b7b8q","t":"move"}"#;

const MOVED: &str = r#"{"t":"moved","game":"01KBAxM7tV3qLe9ZpWcY2n","seq":2,"at":1764547203000,"seat":"black","ply":2,"uci":"e7e5","san":"e5","clock":{"white":180000,"black":181300,"running":"white"}}"#;

fn main() {
    let moved = ServerMessage::parse(MOVED).expect("a valid frame");
    time("read move", || {
        black_box(ClientMessage::parse(black_box(MOVE))).is_ok()
    });
    time("read move, t last", || {
        black_box(ClientMessage::parse(black_box(MOVE_TAG_LAST))).is_ok()
    });
    time("write moved", || {
        black_box(black_box(&moved).to_json()).len() == MOVED.len()
    });
}

fn time(what: &str, mut work: impl FnMut() -> bool) {
    let best = (0..5)
        .map(|_| {
            let began = Instant::now();
            let done = (0..ROUNDS).filter(|_| work()).count();
            assert_eq!(done, ROUNDS as usize);
            began.elapsed().as_nanos() / u128::from(ROUNDS)
        })
        .min();
    println!("{what:<18} {} ns", best.unwrap_or_default());
}
