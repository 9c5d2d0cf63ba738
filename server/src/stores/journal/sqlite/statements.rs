//! What the writer says to SQLite. Batches go in and come out as one JSON text, so that a statement is
//! prepared once whatever the number of rows.

pub(super) const SCHEMA: &str = include_str!("schema.sql");

/// The epoch of each append's shard and how many events of its game are stored, as one JSON array: each
/// row of a result would be a wake-up of this task. Leaves the transaction open. `$1`: `[[shard, game], ...]`.
pub(super) const HEADS: &str = "BEGIN IMMEDIATE; \
    SELECT json_group_array(json_array( \
        coalesce((SELECT epoch FROM shards WHERE shard = head.value ->> 0), 0), \
        coalesce((SELECT max(seq) + 1 FROM events WHERE shard = head.value ->> 0 AND game = head.value ->> 1), 0) \
    ) ORDER BY head.key) \
    FROM json_each($1) AS head";

/// Stores rows, epochs and the heartbeat, and commits. `$1`: `[[shard, game, seq, format, body], ...]`;
/// `$2`: `[[shard, epoch], ...]`; `$3`: the time. A failure rolls back the whole: SQLite need not keep
/// what it takes to undo a statement alone.
pub(super) const STORE: &str = "INSERT OR ROLLBACK INTO events (shard, game, seq, format, body) \
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each($1); \
    INSERT INTO shards (shard, epoch) SELECT value ->> 0, value ->> 1 FROM json_each($2) WHERE true \
    ON CONFLICT (shard) DO UPDATE SET epoch = max(epoch, excluded.epoch); \
    INSERT INTO heartbeat (one, at) VALUES (1, $3) ON CONFLICT (one) DO UPDATE SET at = max(at, excluded.at); \
    COMMIT";

pub(super) const BEAT: &str = "INSERT INTO heartbeat (one, at) VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET at = max(at, excluded.at)";

pub(super) const CLAIM: &str = "INSERT INTO shards (shard, epoch) SELECT value ->> 0, value ->> 1 FROM json_each($1) WHERE true \
    ON CONFLICT (shard) DO UPDATE SET epoch = max(epoch, excluded.epoch)";

pub(super) const FORGET: &str = "DELETE FROM events WHERE shard = $1 AND game = $2";
