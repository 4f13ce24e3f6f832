/** The OpenAPI file names exactly the routes that Express has, and `/docs` needs nothing that the CSP forbids. */
import { Router } from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { A2A_PATHS } from "../a2a/routes.ts";
import { call, serve, type TestServer } from "../testing/kit.ts";
import { ROUTES } from "./routes.ts";

let server: TestServer;
const registered = new Set<string>();
beforeAll(async () => {
  // Routers are functions whose prototype is Express': every route of every router is seen as it is made.
  const proto = Router.prototype as { route(path: string): { methods: Record<string, boolean> } };
  const { route } = proto;
  const made: { path: string; methods: Record<string, boolean> }[] = [];
  proto.route = function (this: unknown, path: string) {
    const one = route.call(this as typeof proto, path);
    made.push({ path, methods: one.methods });
    return one;
  };
  server = await serve();
  proto.route = route;
  for (const { path, methods } of made) for (const m of Object.keys(methods)) registered.add(`${m} ${path}`);
});
afterAll(() => server.stop());

/** Paths outside `/api/v1`: of other doors, of pages, of the port for those who run the server. */
const ELSEWHERE = ["/joinById/:code", "/docs", ...A2A_PATHS, "/healthz", "/readyz", "/metrics"];

test("the file and the routers name the same calls", async () => {
  const named = ROUTES.map(({ method, path }) => `${method} ${path}`);
  const inApi = [...registered].filter(
    (r) => !ELSEWHERE.includes(r.split(" ")[1] ?? "") && !r.includes("well-known") && !r.startsWith("get /,"),
  );
  expect(inApi.sort()).toEqual([...named].sort());
  const { body } = await call(server, "GET", "/openapi.json");
  expect(body.openapi).toBe("3.1.0");
  const inFile = Object.entries(body.paths as object).flatMap(([path, methods]) =>
    Object.keys(methods).map((m) => `${m} ${path.replace(/\{(\w+)\}/g, ":$1")}`),
  );
  expect(inFile.sort()).toEqual([...named].sort());
});

test("the page shows every call and carries no script or style of its own", async () => {
  const answer = await fetch(`${server.url}/docs`);
  const page = await answer.text();
  expect(answer.headers.get("content-type")).toContain("text/html");
  for (const { path } of ROUTES) expect(page).toContain(path.replace(/:(\w+)/g, "{$1}"));
  expect(page).not.toMatch(/<script|<style|style=| on\w+=/);
  expect((await fetch(`${server.url}/docs.css`)).status).toBe(200);
});
