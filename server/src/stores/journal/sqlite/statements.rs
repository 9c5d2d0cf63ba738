//! What the writer says to SQLite. Many values go in and come out as one JSON text: a statement is then
//! prepared once whatever their number, and no row of a result wakes the writer's task.

pub(super) const SCHEMA: &str = include_str!("schema.sql");

/// `[[game, events], ...]` of live games.
pub(super) const GAMES: &str = "SELECT json_group_array(json_array(game, events)) FROM \
    (SELECT log.game, count(*) AS events FROM log LEFT JOIN forgotten ON forgotten.game = log.game \
     WHERE log.id > coalesce(upto, 0) GROUP BY log.game)";

/// `[[shard, epoch], ...]`
pub(super) const EPOCHS: &str = "SELECT json_group_array(json_array(shard, epoch)) FROM shards";

/// `[[game, upto], ...]`
pub(super) const FORGOTTEN: &str = "SELECT json_group_array(json_array(game, upto)) FROM forgotten";

/// The highest row there is or was.
pub(super) const LAST_ROW: &str = "SELECT max(coalesce((SELECT max(id) FROM log), 0), coalesce((SELECT max(upto) FROM forgotten), 0))";

/// Stores rows, epochs and the heartbeat. `$1`: `[[id, game, seq, format, body], ...]`; `$2`:
/// `[[shard, epoch], ...]`; `$3`: the time. A failure rolls back the whole: SQLite need not keep what it
/// takes to undo a statement alone.
pub(super) const STORE: &str = "BEGIN IMMEDIATE; \
    INSERT OR ROLLBACK INTO log (id, game, seq, format, body) \
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each($1); \
    INSERT INTO shards (shard, epoch) SELECT value ->> 0, value ->> 1 FROM json_each($2) WHERE true \
    ON CONFLICT (shard) DO UPDATE SET epoch = max(epoch, excluded.epoch); \
    INSERT INTO heartbeat (one, at) VALUES (1, $3) ON CONFLICT (one) DO UPDATE SET at = max(at, excluded.at); \
    COMMIT";

/// The events of one game stored after a row. `$1`: the game; `$2`: the row.
pub(super) const EVENTS_OF: &str =
    "SELECT format, body FROM log WHERE game = $1 AND id > $2 ORDER BY seq";

/// The events of all live games, game by game.
pub(super) const EVENTS: &str = "SELECT log.game, format, body \
    FROM log LEFT JOIN forgotten ON forgotten.game = log.game \
    WHERE log.id > coalesce(upto, 0) ORDER BY log.game, seq";

pub(super) const BEAT: &str = "INSERT INTO heartbeat (one, at) VALUES (1, $1) \
    ON CONFLICT (one) DO UPDATE SET at = max(at, excluded.at)";

pub(super) const LAST_BEAT: &str = "SELECT at FROM heartbeat";

/// `$1`: `[[shard, epoch], ...]`
pub(super) const CLAIM: &str = "INSERT INTO shards (shard, epoch) SELECT value ->> 0, value ->> 1 FROM json_each($1) WHERE true \
    ON CONFLICT (shard) DO UPDATE SET epoch = max(epoch, excluded.epoch)";

/// The row that follows so many rows after another. `$1`: the row; `$2`: how many.
pub(super) const ROWS_ON: &str = "SELECT id FROM log WHERE id >= $1 ORDER BY id LIMIT 1 OFFSET $2";

/// Forgets games, sweeps a part of the log, and drops names that a whole pass has swept. `$1`: `[game, ...]`;
/// `$2`: their last row; `$3`, `$4`: the part, the last row not included; `$5`: `[game, ...]` to drop.
pub(super) const FORGET: &str = "BEGIN IMMEDIATE; \
    INSERT INTO forgotten (game, upto) SELECT value, $2 FROM json_each($1) WHERE true \
    ON CONFLICT (game) DO UPDATE SET upto = excluded.upto; \
    DELETE FROM log WHERE id >= $3 AND id < $4 AND EXISTS \
        (SELECT 1 FROM forgotten WHERE forgotten.game = log.game AND log.id <= upto); \
    DELETE FROM forgotten WHERE game IN (SELECT value FROM json_each($5)); \
    COMMIT";
