-- The journal of live games, embedded. A row of `events` is one event as JSON; its format says of which shape.
CREATE TABLE IF NOT EXISTS events (
    shard  INTEGER NOT NULL CHECK (shard BETWEEN 0 AND 1023),
    game   TEXT    NOT NULL,
    seq    INTEGER NOT NULL CHECK (seq >= 0),
    format INTEGER NOT NULL,
    body   TEXT    NOT NULL,
    PRIMARY KEY (shard, game, seq)
) STRICT, WITHOUT ROWID;

-- The highest epoch under which a shard was written.
CREATE TABLE IF NOT EXISTS shards (
    shard INTEGER PRIMARY KEY CHECK (shard BETWEEN 0 AND 1023),
    epoch INTEGER NOT NULL
) STRICT;

-- The owner's time: it was alive then.
CREATE TABLE IF NOT EXISTS heartbeat (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    at  INTEGER NOT NULL
) STRICT;
