-- The journal of live games, embedded. Rows are only added at the end, so that a commit for many games
-- writes few pages; what is forgotten is swept away little by little. A row's body is one event as JSON, its
-- format says of which shape.
CREATE TABLE IF NOT EXISTS log (
    id     INTEGER PRIMARY KEY,
    game   TEXT    NOT NULL,
    seq    INTEGER NOT NULL CHECK (seq >= 0),
    format INTEGER NOT NULL,
    body   TEXT    NOT NULL
) STRICT;

-- Games whose rows up to that one count no more.
CREATE TABLE IF NOT EXISTS forgotten (
    game TEXT    PRIMARY KEY,
    upto INTEGER NOT NULL
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
