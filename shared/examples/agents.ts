/**
 * Lines to copy for who brings a program of their own: shown on the page `/agents` and in the README, and each of them
 * run as it stands by a test. `root` is the address of the server.
 */

export interface Example {
  readonly id: string;
  readonly title: string;
  /** What one needs, and what it does. */
  readonly about: string;
  /** As Markdown names it. */
  readonly language: "sh" | "python" | "ts" | "json";
  /** The file that it goes into; null: it is typed. */
  readonly file: string | null;
  readonly text: string;
}

export const DEFAULT_ROOT = "http://localhost:2567";

export function agentExamples(root: string = DEFAULT_ROOT): readonly Example[] {
  return EXAMPLES.map((example) => ({ ...example, text: example.text.replaceAll(DEFAULT_ROOT, root) }));
}

const CURL = `api=${DEFAULT_ROOT}/api/v1
post() { curl -s "$api$1" -H "authorization: Bearer $2" -H 'content-type: application/json' -d "$3"; }
field() { sed "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/"; }

me=$(post /identities none '{"name":"My bot"}' | field token)
room=$(post /rooms "$me" '{"format":"1v1","level":1,"seats":[{"kind":"any"},{"kind":"ai","brain":"greedy"}]}')
match=/matches/$(echo "$room" | field match_id)
seat=$(echo "$room" | field seat_token)

turn() { curl -s "$api$match/state?wait=turn" -H "authorization: Bearer $seat"; }
while state=$(turn) && ! echo "$state" | grep -q '"game_over":true'; do
  if echo "$state" | grep -q '"waiting":true'; then continue; fi # 50 s, and still the other's turn
  legal=$(curl -s "$api$match/legal" -H "authorization: Bearer $seat")
  command=$(echo "$legal" | sed 's/.*"commands":\\["\\([^"]*\\)".*/\\1/') # your idea goes here
  post "$match/moves" "$seat" "{\\"command\\":\\"$command\\"}" > /dev/null
done
echo "$state" | grep -o '"result":"[A-Z]*"'`;

const PYTHON = `import json, urllib.request

API = "${DEFAULT_ROOT}/api/v1"

def call(path, token=None, body=None):
    request = urllib.request.Request(API + path, data=None if body is None else json.dumps(body).encode())
    request.add_header("content-type", "application/json")
    if token:
        request.add_header("authorization", "Bearer " + token)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)

me = call("/identities", body={"name": "My bot"})["token"]
seats = [{"kind": "any"}, {"kind": "ai", "brain": "greedy"}]
room = call("/rooms", me, {"format": "1v1", "level": 1, "seats": seats})
match, seat = "/matches/" + room["match_id"], room["seat_token"]

while True:
    state = call(match + "/state?wait=turn", seat)
    if state["status"]["game_over"]:
        break
    if state.get("waiting"):  # 50 s, and it is still the other's turn
        continue
    command = call(match + "/legal", seat)["commands"][0]  # your idea goes here
    call(match + "/moves", seat, {"turn": state["meta"]["turn"], "command": command})
print(state["status"]["result"], state["scoring"]["scores"])`;

const TYPESCRIPT = `const API = "${DEFAULT_ROOT}/api/v1";

async function call(path: string, token?: string, body?: object): Promise<any> {
  const answer = await fetch(API + path, {
    method: body ? "POST" : "GET",
    headers: { "content-type": "application/json", ...(token ? { authorization: \`Bearer \${token}\` } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return answer.json();
}

const { token } = await call("/identities", undefined, { name: "My bot" });
const seats = [{ kind: "any" }, { kind: "ai", brain: "greedy" }];
const room = await call("/rooms", token, { format: "1v1", level: 1, seats });
const match = \`/matches/\${room.match_id}\`;

let state: any;
while (!(state = await call(\`\${match}/state?wait=turn\`, room.seat_token)).status.game_over) {
  if (state.waiting) continue; // 50 s, and it is still the other's turn
  const [command] = (await call(\`\${match}/legal\`, room.seat_token)).commands; // your idea goes here
  await call(\`\${match}/moves\`, room.seat_token, { turn: state.meta.turn, command });
}
console.log(state.status.result, state.scoring.scores);`;

const MCP = `{ "mcpServers": { "gearmice": { "type": "http", "url": "${DEFAULT_ROOT}/mcp" } } }`;

const SCRIPT = `npx gearmice play --server ${DEFAULT_ROOT} --agent-script ~/gearmice/agents/agent.ts`;

const LOCAL = `npx gearmice play --server ${DEFAULT_ROOT} --model llama3.2 --local-url http://localhost:11434/v1`;

const EXAMPLES: readonly Example[] = [
  {
    id: "curl",
    title: "curl",
    about: "A whole duel against a house bot from the shell, with the first legal command each turn.",
    language: "sh",
    file: null,
    text: CURL,
  },
  {
    id: "python",
    title: "Python",
    about: "Python 3, nothing to install.",
    language: "python",
    file: "bot.py",
    text: PYTHON,
  },
  {
    id: "typescript",
    title: "TypeScript",
    about: "Node 22.18 or newer runs it as it is: node bot.mts",
    language: "ts",
    file: "bot.mts",
    text: TYPESCRIPT,
  },
  {
    id: "mcp",
    title: "An MCP client",
    about:
      "In the client's settings; then ask the model to play a game. (Clients that start a process: npx --prefix <this repository> gearmice mcp)",
    language: "json",
    file: "mcp.json",
    text: MCP,
  },
  {
    id: "script",
    title: "An agent of your own, from this repository",
    about:
      "Plays Solo with a board in the terminal. The folder with templates is made by the first: npx gearmice status",
    language: "sh",
    file: null,
    text: SCRIPT,
  },
  {
    id: "local-model",
    title: "A local language model",
    about: "Ollama, LM Studio, llama.cpp or vLLM: whatever speaks the OpenAI format.",
    language: "sh",
    file: null,
    text: LOCAL,
  },
];
