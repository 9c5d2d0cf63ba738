#!/usr/bin/env python3
"""Makes selfplay.pgn: whole games of an engine against itself that end in every way a game can.

    cd loadtest/games && ./make.py > selfplay.pgn

Needs Debian's stockfish (Python's standard library does the rest) and cargo: the engine says what is
legal, our own referee (core/examples/selfplay_pgn.rs) judges how each game ended and writes the PGN.
One thread, fixed nodes and a seed a game: the same engine gives the same file again.
"""

import argparse
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# How many games of each kind are wanted.
WANTED = {
    "checkmate": 56,
    "resignation": 40,
    "threefold": 32,
    "time": 24,
    "agreement": 24,
    "insufficient_material": 20,
    "stalemate": 16,
    "fifty": 16,
}
# A game longer than this is thrown away: it would only slow the replay down.
MAX_PLIES = 400
# A shorter one too: it would not be of real length.
MIN_PLIES = 20
# Half-moves played at random before the engines think, so that no two games are alike.
OPENING_PLIES = (4, 8)
# Attempts for one kind before the script gives up.
MAX_ATTEMPTS = 400


class Engine:
    """One stockfish, asked one question at a time."""

    def __init__(self, path):
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        greeting = self.ask("uci", "uciok")
        name = next(line for line in greeting if line.startswith("id name "))
        self.name = name.removeprefix("id name ")
        self.say("setoption name Threads value 1")
        self.say("setoption name Hash value 16")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line, last):
        """The lines of the answer, up to the one that begins with `last`."""
        self.say(line)
        lines = []
        while True:
            answer = self.process.stdout.readline()
            if not answer:
                sys.exit("the engine went away")
            lines.append(answer.rstrip())
            if lines[-1].startswith(last):
                return lines

    def new_game(self):
        self.say("ucinewgame")
        self.ask("isready", "readyok")

    def look(self, moves):
        """The position after these moves, as the engine sees it."""
        self.say("position startpos moves " + " ".join(moves) if moves else "position startpos")
        board = self.ask("d", "Checkers")
        fen = next(line[5:] for line in board if line.startswith("Fen: "))
        counted = self.ask("go perft 1", "Nodes searched")
        legal = sorted(line.split(":")[0] for line in counted if line[:1].islower() and ":" in line)
        legal = [move for move in legal if move[1:2].isdigit()]
        return Position(fen, bool(board[-1][len("Checkers:"):].strip()), legal)

    def best(self, nodes, among):
        """The best of some moves of the position last looked at, and its value in centipawns."""
        lines = self.ask(f"go nodes {nodes} searchmoves {' '.join(among)}", "bestmove")
        value = 0
        for line in lines:
            words = line.split()
            if "score" in words:
                kind, number = words[words.index("score") + 1:][:2]
                value = int(number) if kind == "cp" else 30_000 if int(number) > 0 else -30_000
        return lines[-1].split()[1], value


class Position:
    """What a player sees: the men, whose move it is, what is legal."""

    def __init__(self, fen, check, legal):
        self.fen, self.check, self.legal = fen, check, legal
        placement, self.turn, self.castling, self.passed, half_moves, _ = fen.split()
        self.half_moves = int(half_moves)
        self.key = " ".join((placement, self.turn, self.castling, self.passed))
        self.men = {}
        for rank, row in zip("87654321", placement.split("/")):
            file = 0
            for sign in row:
                if sign.isdigit():
                    file += int(sign)
                else:
                    self.men["abcdefgh"[file] + rank] = sign
                    file += 1

    def is_capture(self, move):
        return move[2:4] in self.men or (self.is_pawn(move) and move[0] != move[2])

    def is_pawn(self, move):
        return self.men[move[:2]] in "Pp"

    def is_quiet(self, move):
        return not self.is_capture(move) and not self.is_pawn(move)

    def is_dead(self):
        """Whether nobody can mate, in the simple cases; our referee knows them all."""
        others = sorted(sign.lower() for sign in self.men.values() if sign not in "Kk")
        return others in ([], ["b"], ["n"])

    def bare(self, turn):
        mine = str.isupper if turn == "w" else str.islower
        return sum(1 for sign in self.men.values() if mine(sign)) == 1


class Game:
    """A game in the making; `plan` says how its players behave and when they stop."""

    def __init__(self, engine, rng, plan):
        self.engine, self.rng, self.plan = engine, rng, plan
        self.moves, self.seen, self.bad = [], Counter(), 0
        self.nodes = {"w": rng.choice([400, 1500, 4000]), "b": rng.choice([400, 1500, 4000])}
        self.opening = rng.randint(*OPENING_PLIES)
        self.limit = rng.randint(30, 110)
        self.weak = rng.choice("wb")
        # Some let their flag fall only when the opponent has a bare king: a draw in the classic Laws.
        if plan == "time" and rng.random() < 0.3:
            self.limit = MAX_PLIES

    def play(self):
        """The act that ended the game, or none when it took too long."""
        self.engine.new_game()
        while len(self.moves) < MAX_PLIES:
            position = self.engine.look(self.moves)
            self.seen[position.key] += 1
            if not position.legal or position.is_dead():
                return "board"
            if self.is_claimable(position):
                return "claim"
            move, value = self.choose(position)
            act = self.act(position, value)
            if act:
                return act
            self.moves.append(move)
        return None

    def is_claimable(self, position):
        return self.seen[position.key] >= 3 or position.half_moves >= 100

    def act(self, position, value):
        """Whether the player to move stops here, by what he thinks of his position."""
        opponent = "b" if position.turn == "w" else "w"
        self.bad = self.bad + 1 if value < -600 else 0
        if self.plan == "resignation" and self.bad >= 1 and not position.bare(opponent):
            return "resignation" if len(self.moves) > 30 else None
        if self.plan == "agreement" and len(self.moves) > self.limit and abs(value) < 60:
            return "agreement"
        if self.plan == "time" and (len(self.moves) > self.limit or position.bare(opponent)):
            return "time"
        return None

    def choose(self, position):
        legal = position.legal
        if len(self.moves) < self.opening:
            return self.rng.choice(legal), 0
        among = getattr(self, "among_" + self.plan, lambda position: legal)(position) or legal
        if self.rng.random() < 0.05:
            lesser = [move for move in among if move[4:] in ("r", "b", "n")]
            among = lesser or among
        return self.engine.best(self.nodes[position.turn], among)

    def among_checkmate(self, position):
        """One side is weak: it often plays what comes to its mind."""
        if position.turn == self.weak and self.rng.random() < 0.3:
            return [self.rng.choice(position.legal)]
        return position.legal

    def among_resignation(self, position):
        return self.among_checkmate(position)

    def among_insufficient_material(self, position):
        """Both sides take what can be taken, and kings go for pawns."""
        return [move for move in position.legal if position.is_capture(move)]

    def among_threefold(self, position):
        """At some time both sides are content to go back and forth."""
        if len(self.moves) < self.limit:
            return position.legal
        back = self.moves[-2][2:4] + self.moves[-2][:2]
        return [back] if back in position.legal and position.is_quiet(back) else position.legal

    def among_fifty(self, position):
        """After the opening nobody takes or pushes, nobody repeats."""
        if len(self.moves) < self.limit:
            return position.legal
        quiet = [move for move in position.legal if position.is_quiet(move)]
        return [move for move in quiet if not self.repeats(move)]

    def among_stalemate(self, position):
        """The weak side loses everything; the strong side then leaves the king no square."""
        if position.turn == self.weak:
            kind = [move for move in position.legal if not position.is_capture(move)]
            return [self.rng.choice(kind or position.legal)]
        stalemates, safe = [], []
        for move in position.legal:
            after = self.engine.look(self.moves + [move])
            if not after.legal and not after.check:
                stalemates.append(move)
            elif after.legal and not self.seen[after.key]:
                safe.append(move)
        self.engine.look(self.moves)
        taking = [move for move in safe if position.is_capture(move)]
        return stalemates or taking or safe

    def repeats(self, move):
        after = self.engine.look(self.moves + [move])
        self.engine.look(self.moves)
        return self.seen[after.key] >= 2

    def name(self, turn):
        return f"{self.engine.name.replace(' ', '_')}_({self.nodes[turn]}_nodes)"


def kind_of(act, game):
    """The Termination tag that our referee will give."""
    if act == "claim":
        return "threefold" if max(game.seen.values()) >= 3 else "fifty"
    if act == "board":
        position = game.engine.look(game.moves)
        if position.legal:
            return "insufficient_material"
        return "checkmate" if position.check else "stalemate"
    return act


def make(engine, seed, wanted):
    """Plays until there are enough games of each kind; a game that ended otherwise counts as that."""
    made, lines = Counter(), []
    for plan, count in wanted.items():
        attempt = 0
        while made[plan] < count:
            attempt += 1
            if attempt > MAX_ATTEMPTS:
                sys.exit(f"only {made[plan]} games ended by {plan}")
            game = Game(engine, random.Random(f"{seed}/{plan}/{attempt}"), plan)
            act = game.play()
            kind = kind_of(act, game) if act else None
            if kind and len(game.moves) >= MIN_PLIES and made[kind] < wanted.get(kind, 0):
                made[kind] += 1
                words = [str(len(lines) + 1), act, game.name("w"), game.name("b"), *game.moves]
                lines.append(" ".join(words))
            print(f"{plan} {attempt}: {kind} after {len(game.moves)}", file=sys.stderr)
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="/usr/games/stockfish")
    parser.add_argument("--seed", default="rookery")
    parser.add_argument("--few", action="store_true", help="two games of each kind, to try it out")
    options = parser.parse_args()
    wanted = {kind: 2 if options.few else count for kind, count in WANTED.items()}
    engine = Engine(options.engine)
    lines = make(engine, options.seed, wanted)
    command = "cargo run --quiet --package rookery-core --example selfplay_pgn".split()
    judged = subprocess.run(
        command, input="\n".join(lines) + "\n", text=True, stdout=subprocess.PIPE, cwd=ROOT, check=True
    )
    print(f"% {len(lines)} games made by loadtest/games/make.py, seed {options.seed!r}.")
    print(f"% Engine: {engine.name}, one thread, fixed nodes, against itself.")
    print("% Each game begins with random moves; the tag Termination says by which act it ended.\n")
    print(judged.stdout, end="")


if __name__ == "__main__":
    main()
