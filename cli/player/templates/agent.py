"""An agent for `gearmice play --agent-loop agent.py`; it needs nothing but Python 3.

One line of JSON comes in for each of its turns, the state of the match; one line goes out:
{"command": "...", "reasoning": "..."}. It knows what is legal and picks one at random: put your own idea into `pick`.
It also runs as `--agent-script agent.py`, where every turn is a process of its own.
"""

import json
import random
import sys


def pick(state):
    tiles, types = legal(state)
    tile, turn = random.choice(tiles), random.choice(["+90", "-90"])
    if not types:
        return {"command": f"G@{tile}{turn}", "reasoning": "All gears are placed: turn one of mine."}
    command = f"{random.choice(types)}@{tile}(b={random.randrange(4)}){turn}"
    return {"command": command, "reasoning": f"{len(types)} types left; {len(tiles)} tiles are open."}


def legal(state):
    """Where this player may place a gear, and of which type; without gears in stock, which gears it may turn."""
    me, board, owners = state["meta"]["current_player"], state["data"]["board_encoding"], state["data"]["gear_owners"]
    width, height = map(int, state["meta"]["dimensions"].split("x"))
    places = [(x, y) for y in range(1, height + 1) for x in range(1, width + 1)]

    def label(place):
        return f"P{place[0]}{place[1]}"

    def near(place):
        x, y = place
        return [(x, y + 1), (x - 1, y), (x, y - 1), (x + 1, y)]

    def is_gear(place):
        return board.get(label(place), "").startswith("G")

    # My network: every block that holds at least one gear of mine.
    mine, queue = set(), [place for place in places if owners.get(label(place)) == me]
    while queue:
        place = queue.pop()
        if place in mine:
            continue
        mine.add(place)
        queue += [other for other in near(place) if is_gear(other)]

    types = [kind for kind, count in state["data"]["inventory"].items() if count > 0]
    if not types:
        return [label(place) for place in mine], types
    edges = {"P1": lambda p: p[1] == 1, "P2": lambda p: p[1] == height, "P3": lambda p: p[0] == width, "P4": lambda p: p[0] == 1}
    free = [place for place in places if board[label(place)].startswith("P")]
    start = [place for place in free if edges[me](place)]
    if me in owners.values():
        opened = [place for place in free if any(other in mine for other in near(place))]
    else:
        opened = start or [place for place in free if any(is_gear(other) for other in near(place))]
    return [label(place) for place in opened], types


for line in sys.stdin:
    if line.strip():
        print(json.dumps(pick(json.loads(line))), flush=True)
