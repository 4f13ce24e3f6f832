"""A client of the hosted SDK's door (PROTOCOL 6), written from its field lists. It needs nothing but Python 3.

    python3 sdk_client.py ADDRESS login CODE
    python3 sdk_client.py ADDRESS play --token T [--session ID] AGENT
    python3 sdk_client.py ADDRESS create --token T [--mode 1v1] [--level 1] AGENT
    python3 sdk_client.py ADDRESS join --token T --room CODE AGENT

AGENT is `--agent-script FILE` (the state on its standard input, {"command", "reasoning"} on its output) or
`--local-url URL --model NAME` (any OpenAI-compatible address). Every line on standard output is one object of JSON.
"""

import argparse
import json
import subprocess
import sys
import time
import urllib.error
import urllib.request

AGENT_SECONDS = 120
POLL_SECONDS = 0.05


def tell(**what):
    print(json.dumps(what), flush=True)


def send(url, body=None, token=None):
    """The status and the JSON of an answer; an error is an answer, too."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["X-Firebase-Token"] = token
    data = None if body is None else json.dumps(body).encode("utf-8")
    request = urllib.request.Request(url, data=data, headers=headers, method="GET" if body is None else "POST")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def must(answered):
    status, body = answered
    if status != 200:
        tell(failed=body.get("msg"), status=status)
        sys.exit(1)
    return body


class Script:
    """A program that is run once for each turn."""

    def __init__(self, path):
        self.command = [sys.executable, path] if path.endswith(".py") else [path]

    def choose(self, state, _system_prompt):
        try:
            done = subprocess.run(
                self.command, input=json.dumps(state), capture_output=True, text=True, timeout=AGENT_SECONDS, check=True
            )
            answer = json.loads(done.stdout)
            return answer["command"], answer.get("reasoning", ""), None
        except (subprocess.SubprocessError, ValueError, KeyError) as error:
            return "", f"the script failed: {error}", None


class Model:
    """A language model behind an OpenAI-compatible address, with what its answers cost."""

    def __init__(self, url, name):
        self.url, self.name = url.rstrip("/"), name
        self.input = self.output = self.thinking = 0
        self.seconds = 0.0

    def choose(self, state, system_prompt):
        messages = [
            {"role": "system", "content": system_prompt},
            {"role": "user", "content": json.dumps(state)},
        ]
        started = time.monotonic()
        answer = must(send(f"{self.url}/chat/completions", {"model": self.name, "messages": messages}))
        took = max(time.monotonic() - started, 1e-6)
        usage = answer.get("usage", {})
        turn_input, turn_output = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
        turn_thinking = usage.get("completion_tokens_details", {}).get("reasoning_tokens", 0)
        self.input += turn_input
        self.output += turn_output
        self.thinking += turn_thinking
        self.seconds += took
        cost = {
            "total": self.input + self.output,
            "total_input_tokens": self.input,
            "total_output_tokens": self.output,
            "total_thinking_tokens": self.thinking,
            "total_inference_sec": self.seconds,
            "average_tps": self.output / self.seconds,
            "turn_input_tokens": turn_input,
            "turn_output_tokens": turn_output,
            "turn_thinking_tokens": turn_thinking,
            "turn_inference_sec": took,
            "turn_tps": turn_output / took,
            "is_local_hardware": True,
        }
        text = answer["choices"][0]["message"]["content"]
        try:
            said = json.loads(text[text.index("{") : text.rindex("}") + 1])
            return said["command"], said.get("reasoning", ""), cost
        except (ValueError, KeyError):
            return "", "the model's answer was no JSON", cost


def move_body(game, command, reasoning, usage, session):
    return {
        "game_player_id": game["game_player_id"],
        "command": command,
        "reasoning": reasoning,
        "motor_url": game["motor_url"],
        "evaluation_id": None,
        "session_id": session,
        "token_usage": usage,
    }


def play(address, options, agent):
    body = {
        "session_id": options.session,
        "prompt_injection": options.prompt,
        "prompt_hash": "",
        "agent_description": "a test client",
        "strategy": "",
        "is_local_model": isinstance(agent, Model),
        "is_custom_agent": isinstance(agent, Script),
    }
    game = must(send(f"{address}/play", body, options.token))
    tell(started=game["game_player_id"], level=game["level"], provider=game["session"]["provider"])
    state, over, refused = game["state"], False, 0
    while not over:
        command, reasoning, usage = agent.choose(state, game["system_prompt"])
        body = move_body(game, command, reasoning, usage, options.session)
        moved = must(send(f"{game['motor_url']}/move", body, options.token))
        refused += 0 if moved["success"] else 1
        state, metrics = moved["state"], moved["gym_metrics"]
        over = metrics["terminated"] or metrics["truncated"]
    tell(result=state["status"]["result"], scoring=state["scoring"], turn=state["meta"]["turn"], refused=refused)


def arena(address, options, agent):
    token = options.token
    if options.what == "create":
        body = {"mode": options.mode, "level": options.level}
        game = None
    else:
        body = {"room_code": options.room}
    body |= {"model": options.model or "script", "prompt_injection": options.prompt, "strategy": ""}
    game = must(send(f"{address}/arena/{options.what}", body, token))
    tell(room=game["room_code"], slot=game.get("player_slot", "P1"), game=game["game_player_id"])
    while must(send(f"{address}/arena/room/{game['room_code']}", token=token))["status"] == "waiting":
        time.sleep(POLL_SECONDS)
    id, refused = game["game_player_id"], 0
    while True:
        turn = must(send(f"{address}/arena/turn/{id}", token=token))
        if turn["status"]["game_over"]:
            break
        if not turn["your_turn"]:
            time.sleep(POLL_SECONDS)
            continue
        command, reasoning, usage = agent.choose(turn["state"], game["system_prompt"])
        moved = must(send(f"{address}/arena/move", move_body(game, command, reasoning, usage, None), token))
        refused += 0 if moved["success"] else 1
    tell(**must(send(f"{address}/arena/result/{id}", token=token)), refused=refused)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("what", choices=["login", "play", "create", "join"])
    parser.add_argument("code", nargs="?")
    for name in ["token", "session", "room", "agent-script", "local-url", "model"]:
        parser.add_argument(f"--{name}")
    parser.add_argument("--mode", default="1v1")
    parser.add_argument("--level", type=int, default=1)
    parser.add_argument("--prompt", default="")
    options = parser.parse_args()
    if options.what == "login":
        return tell(**must(send(f"{options.address}/access-codes/exchange", {"code": options.code})))
    agent = Script(options.agent_script) if options.agent_script else Model(options.local_url, options.model)
    return (play if options.what == "play" else arena)(options.address, options, agent)


main()
