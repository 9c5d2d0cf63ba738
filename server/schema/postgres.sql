-- The archive, step 1. sqlite.sql is the same in the other dialect; a test compares them.
-- Ids of players and games are their 16 bytes, times are Unix milliseconds, names of ids that we draw
-- at random (sessions, tokens, lines) have 53 bits.

CREATE TABLE accounts (
    player     BYTEA PRIMARY KEY,
    -- Of a closed account nothing but this row is left, so that its games keep their player.
    name       TEXT NOT NULL,
    folded     TEXT UNIQUE,
    password   TEXT,
    bot        BIGINT NOT NULL CHECK (bot IN (0, 1)),
    created_at BIGINT NOT NULL,
    closed_at  BIGINT,
    CHECK ((closed_at IS NULL) = (folded IS NOT NULL))
);

CREATE TABLE sessions (
    session    BIGINT PRIMARY KEY,
    player     BYTEA NOT NULL REFERENCES accounts (player),
    label      TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    used_at    BIGINT NOT NULL
);
CREATE INDEX sessions_player ON sessions (player);

CREATE TABLE tokens (
    token      BIGINT PRIMARY KEY,
    player     BYTEA NOT NULL REFERENCES accounts (player),
    hash       BYTEA NOT NULL UNIQUE,
    scopes     TEXT NOT NULL,
    label      TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    used_at    BIGINT
);
CREATE INDEX tokens_player ON tokens (player);

-- Sessions and tokens ended before their time; a row goes when no ticket of it can be valid any more.
CREATE TABLE revocations (
    session    BIGINT PRIMARY KEY,
    player     BYTEA NOT NULL,
    revoked_at BIGINT NOT NULL,
    until      BIGINT NOT NULL
);
CREATE INDEX revocations_revoked ON revocations (revoked_at);
CREATE INDEX revocations_until ON revocations (until);

CREATE TABLE games (
    game       BYTEA PRIMARY KEY,
    -- The form of the events: a JSON array of all of them, players' names left out.
    format     BIGINT NOT NULL,
    events     TEXT NOT NULL,
    score      TEXT NOT NULL,
    ending     TEXT NOT NULL,
    plies      BIGINT NOT NULL,
    control    TEXT NOT NULL,
    profile    TEXT NOT NULL,
    rated      BIGINT NOT NULL CHECK (rated IN (0, 1)),
    -- none: casual. never: rated, but filed before ratings were kept, and not to be settled afterwards.
    settlement TEXT NOT NULL CHECK (settlement IN ('none', 'never')),
    started_at BIGINT NOT NULL,
    ended_at   BIGINT NOT NULL,
    CHECK ((rated = 0) = (settlement = 'none'))
);
CREATE INDEX games_ended ON games (ended_at, game);

-- Who played, under which name: the only place of a game's record that holds one.
CREATE TABLE game_players (
    game       BYTEA NOT NULL REFERENCES games (game),
    seat       BIGINT NOT NULL CHECK (seat IN (0, 1)),
    player     BYTEA NOT NULL,
    name       TEXT NOT NULL,
    bot        BIGINT NOT NULL CHECK (bot IN (0, 1)),
    guest      BIGINT NOT NULL CHECK (guest IN (0, 1)),
    ended_at   BIGINT NOT NULL,
    PRIMARY KEY (game, seat)
);
CREATE INDEX game_players_player ON game_players (player, ended_at, game);

CREATE TABLE chat_lines (
    line       BIGINT PRIMARY KEY,
    game       BYTEA NOT NULL,
    room       TEXT NOT NULL,
    player     BYTEA NOT NULL,
    name       TEXT NOT NULL,
    said       TEXT NOT NULL,
    said_at    BIGINT NOT NULL
);
CREATE INDEX chat_lines_player ON chat_lines (player, said_at, line);
