/** The example dashboard asks for nothing that the server does not tell, by name and by label. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, guest, serve, type TestServer } from "../testing/kit.ts";

let server: TestServer;
let told = "";
let asked: { readonly title: string; readonly expr: string }[] = [];
beforeAll(async () => {
  server = await serve({ RATE_LIMITS: "on" });
  const { token } = await guest(server);
  const { body } = await call(server, "POST", "/rooms", { token, body: { preset: "solo-trial" } });
  for (const command of ["G1@P21+90", "nonsense"]) {
    const move = { turn: command === "nonsense" ? 1 : 0, command };
    await call(server, "POST", `/matches/${body.match_id}/moves`, { token: body.seat_token, body: move });
  }
  const stream = await fetch(`${server.url}/api/v1/matches/${body.match_id}/stream`);
  told = await (await fetch(`http://127.0.0.1:${server.opsPort}/metrics`)).text();
  await stream.body?.cancel();
  const text = await readFile(new URL("../../deploy/grafana-dashboard.json", import.meta.url), "utf8");
  const { panels } = JSON.parse(text) as { panels: { title: string; targets: { expr: string }[] }[] };
  asked = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));
});
afterAll(() => server?.stop());

const FUNCTIONS = ["sum", "rate", "increase", "max", "topk", "histogram_quantile", "by", "le"];

test("every name in it is one of /metrics", () => {
  const names = new Set(
    asked.flatMap(({ expr }) => expr.replace(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, "").match(/\b[a-z]\w+/g) ?? []),
  );
  for (const name of FUNCTIONS) names.delete(name);
  expect(names.size).toBeGreaterThan(15);
  const types = new Set([...told.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
  const unknown = [...names].filter((name) => !types.has(name.replace(/_bucket$/, "")));
  expect(unknown).toEqual([]);
});

test("every label in it is one that its metric has", () => {
  const wrong = asked.flatMap(({ title, expr }) => {
    const [metric = ""] = /\b(?:gearmice|process|nodejs)_\w+/.exec(expr) ?? [];
    const labels = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(", "));
    const chosen = [...expr.matchAll(/[{,](\w+)=/g)].map(([, name = ""]) => name);
    const lines = told.split("\n").filter((line) => line.startsWith(`${metric}{`));
    // Never written in this test: a commit that failed, a limit hit.
    if (lines.length === 0) return [];
    return [...labels, ...chosen]
      .filter((label) => !["job", "instance"].includes(label))
      .filter((label) => !lines.some((line) => line.includes(`${label}="`)))
      .map((label) => `${title}: ${metric} has no label ${label}`);
  });
  expect(wrong).toEqual([]);
});

test("every metric of ours is in it or is said to be", async () => {
  const docs = await readFile(new URL("../../docs/operating.md", import.meta.url), "utf8");
  const ours = [...told.matchAll(/^# TYPE (gearmice_\w+) /gm)].map(([, name]) => name ?? "");
  expect(ours.filter((name) => !docs.includes(`\`${name}\``))).toEqual([]);
});

test("labels have few values: names of routes, doors, codes, rules; no path as it was called", async () => {
  for (const path of [
    "/nowhere/gm1.id.x",
    "/api/v1/rooms/IXENT-QQQQQQ",
    "/api/v1/matches/x/state",
    "/room/IXENT-ABC",
  ]) {
    await fetch(`${server.url}${path}`);
  }
  await fetch(`${server.url}/api/v1/rooms`, { method: "PROPFIND" });
  const now = await (await fetch(`http://127.0.0.1:${server.opsPort}/metrics`)).text();
  const routes = new Set([...now.matchAll(/route="([^"]*)"/g)].map(([, route]) => route));
  expect([...routes].sort()).toEqual([
    ...["/identities", "/matches/:id/moves", "/matches/:id/state", "/rooms", "/rooms/:code", "other"],
  ]);
  expect(now).toContain('gearmice_http_requests_total{method="other",route="other",status="404"} 1');
  expect(now).toContain('gearmice_commands_total{door="http",code="ok"} 1');
  expect(now).toContain('gearmice_commands_total{door="http",code="syntax"} 1');
  expect(now).toContain('gearmice_command_seconds_count{door="http"} 2');
  expect(now).toContain('gearmice_http_refusals_total{code="not_found"}');
});
