#!/usr/bin/env python3
"""Checks that every golden frame is valid by the published schemas, and that spoilt ones are not.

Needs the Python package `jsonschema` (Debian: python3-jsonschema). Run from anywhere.
"""

import copy
import json
import pathlib
import sys

from jsonschema import Draft202012Validator

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = HERE.parent / "golden"


def validator(schema, definition):
    root = {"$ref": f"#/$defs/{definition}", "$defs": schema["$defs"]}
    return Draft202012Validator(root)


def spoilt(frame):
    """Frames that differ from a valid one by a single fault."""
    yield {**frame, "t": "no_such_message"}
    for key in ("id", "game"):
        if key in frame:
            yield {**frame, key: ["not", "a", "scalar"]}
    without_tag = copy.deepcopy(frame)
    del without_tag["t"]
    yield without_tag


def main():
    schema = json.loads((HERE / "rookery.v1.json").read_text())
    Draft202012Validator.check_schema(schema)
    asyncapi = json.loads((HERE / "asyncapi.json").read_text())
    named = asyncapi["channels"]["ws"]["messages"]
    faults, frames = [], 0
    for side, definition in (("client", "ClientMessage"), ("server", "ServerMessage")):
        check = validator(schema, definition)
        for path in sorted((GOLDEN / side).glob("*.jsonl")):
            if path.stem not in named:
                faults.append(f"asyncapi.json lacks {path.stem}")
            for number, line in enumerate(path.read_text().splitlines(), 1):
                frame, frames = json.loads(line), frames + 1
                faults += [f"{path.name}:{number}: {e.message}" for e in check.iter_errors(frame)]
                for bad in spoilt(frame):
                    if check.is_valid(bad):
                        faults.append(f"{path.name}:{number}: the schema admits {json.dumps(bad)}")
                if side == "client" and check.is_valid({**frame, "novelty": 1}):
                    faults.append(f"{path.name}:{number}: the schema admits an unknown field")
    print("\n".join(faults) or f"{frames} frames fit the schema")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
