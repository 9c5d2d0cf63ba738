//! The tables of the lobby: who may open, take and leave what.

use super::*;
use crate::id::{PlayerId, ShardNo};
use crate::time::{Millis, Timestamp};

fn game(number: u64) -> GameId {
    GameId::mint(Timestamp(number), number, ShardNo::new(1))
}

fn player(number: u64) -> Player {
    Player {
        id: PlayerId::mint(Timestamp(1), number, ShardNo::new(1)),
        name: format!("p{number}"),
        bot: false,
        guest: false,
    }
}

fn blitz() -> TimeControl {
    TimeControl::fischer(Millis::from_mins(3), Millis::from_secs(2))
}

fn wish(colour: ColourWish) -> Wish {
    Wish {
        control: blitz(),
        profile: Profile::Classic,
        rated: false,
        colour,
        start_fen: None,
    }
}

fn seek(id: u64, by: u64) -> Seek {
    Seek {
        id: game(id),
        by: player(by),
        wish: wish(ColourWish::Random),
        window: None,
    }
}

fn challenge(id: u64, from: u64, to: Option<u64>) -> Challenge {
    Challenge {
        id: game(id),
        from: player(from),
        to: to.map(player),
        wish: wish(ColourWish::Random),
        expires_at: Timestamp(1000 + id),
        rematch_of: None,
    }
}

#[test]
fn a_wish_for_a_colour_beats_the_coin() {
    for coin in [true, false] {
        for seat in Seat::BOTH {
            let wish = wish(ColourWish::Seat(seat));
            let pairing = Pairing::of(game(1), player(1), player(2), wish, coin);
            assert_eq!(pairing.players[seat], player(1));
            assert_eq!(pairing.players[seat.other()], player(2));
        }
    }
    let toss = |coin| {
        Pairing::of(
            game(1),
            player(1),
            player(2),
            wish(ColourWish::Random),
            coin,
        )
    };
    assert_eq!(toss(true).players.white, player(1));
    assert_eq!(toss(false).players.white, player(2));
}

#[test]
fn seeks_are_bounded_per_player_and_listed_oldest_first() {
    let mut seeks = Seeks::new(2);
    assert_eq!(seeks.open(seek(5, 1)), Ok(()));
    assert_eq!(seeks.open(seek(3, 1)), Ok(()));
    assert_eq!(seeks.open(seek(4, 1)), Err(SeeksFull::OfPlayer));
    assert_eq!(seeks.open(seek(6, 2)), Ok(()));
    let listed: Vec<GameId> = seeks.iter().map(|seek| seek.id).collect();
    assert_eq!(listed, [game(3), game(5), game(6)]);
    assert_eq!(seeks.close_of(player(1).id), [game(3), game(5)]);
    assert_eq!(seeks.close(game(6)), Some(seek(6, 2)));
    assert_eq!(seeks.close(game(6)), None);
}

#[test]
fn a_wave_pairs_those_who_wait_longest_and_frees_them_everywhere() {
    let bullet = TimeControl::fischer(Millis::from_mins(1), Millis::ZERO);
    let pools = [bullet.clone(), blitz()].map(|c| Pool::new(c, Profile::Classic, true));
    let mut pools = Pools::new(pools.to_vec(), 2);
    for who in [1, 2, 3, 4] {
        pools.join(&blitz(), true, player(who)).unwrap();
    }
    pools.join(&bullet, true, player(2)).unwrap();
    pools.join(&bullet, true, player(5)).unwrap();
    let pairs: Vec<_> = pools
        .wave()
        .into_iter()
        .map(|(pool, a, b)| (pool.control, a.name, b.name))
        .collect();
    let named = |c: &TimeControl, a: &str, b: &str| (c.clone(), a.to_owned(), b.to_owned());
    assert_eq!(
        pairs,
        [named(&bullet, "p2", "p5"), named(&blitz(), "p1", "p3")]
    );
    assert_eq!(pools.iter().map(Pool::waiting).collect::<Vec<_>>(), [0, 1]);
    assert!(pools.leave(player(4).id));
    assert!(!pools.leave(player(4).id));
    assert!(pools.wave().is_empty());
}

#[test]
fn a_place_in_a_pool_is_kept_and_counted_once() {
    let pools = vec![Pool::new(blitz(), Profile::Classic, true)];
    let mut pools = Pools::new(pools, 1);
    assert_eq!(
        pools.join(&blitz(), false, player(1)),
        Err(PoolsFull::Unknown)
    );
    assert_eq!(pools.join(&blitz(), true, player(1)), Ok(()));
    assert_eq!(pools.join(&blitz(), true, player(1)), Ok(()));
    assert_eq!(pools.iter().next().unwrap().waiting(), 1);
    assert!(pools.wave().is_empty(), "nobody is paired with himself");
}

#[test]
fn a_challenge_is_answered_by_whom_it_was_made_to() {
    let mut open = Challenges::new(8, 8);
    open.open(challenge(1, 1, Some(2))).unwrap();
    open.open(challenge(2, 1, None)).unwrap();
    assert_eq!(open.accept(game(1), player(3).id), Err(Gone::NotYours));
    assert_eq!(open.decline(game(1), player(1).id), Err(Gone::NotYours));
    assert_eq!(open.cancel(game(1), player(2).id), Err(Gone::NotYours));
    assert!(open.accept(game(1), player(2).id).is_ok());
    assert_eq!(open.accept(game(1), player(2).id), Err(Gone::Unknown));
    assert_eq!(open.accept(game(2), player(1).id), Err(Gone::NotYours));
    assert_eq!(open.decline(game(2), player(3).id), Err(Gone::NotYours));
    assert!(open.accept(game(2), player(3).id).is_ok());
}

#[test]
fn challenges_lapse_and_go_with_their_maker_but_links_stay() {
    let mut open = Challenges::new(3, 2);
    for made in [
        challenge(1, 1, Some(2)),
        challenge(2, 1, None),
        challenge(3, 3, Some(2)),
    ] {
        open.open(made).unwrap();
    }
    assert_eq!(
        open.open(challenge(4, 4, Some(2))),
        Err(ChallengesFull::OfPlayer)
    );
    assert_eq!(open.faced_by(player(2).id).count(), 2);
    let gone = |gone: Vec<Challenge>| gone.into_iter().map(|c| c.id).collect::<Vec<_>>();
    assert_eq!(gone(open.cancel_of(player(1).id)), [game(1)]);
    assert!(open.expire(Timestamp(1001)).is_empty());
    assert_eq!(gone(open.expire(Timestamp(1002))), [game(2)]);
    assert_eq!(gone(open.expire(Timestamp(1003))), [game(3)]);
}
