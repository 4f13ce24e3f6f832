/** The OpenAPI file names exactly the routes that Express has, and `/docs` needs nothing that the CSP forbids. */
import { Router } from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, serve, type TestServer } from "../testing/kit.ts";
import { ROUTES } from "./routes.ts";

let server: TestServer;
/** Every route below `/api/v1`, as `get /path`. */
const registered = new Set<string>();
beforeAll(async () => {
  // Routers are functions whose prototype is Express': what is made and what is used where is seen as it happens.
  type Made = { readonly path: string; readonly methods: Record<string, boolean> };
  const proto = Router.prototype as { route(path: string): Made; use(...given: unknown[]): unknown };
  const { route, use } = proto;
  const routes = new Map<unknown, Made[]>();
  const inside = new Map<unknown, unknown[]>();
  let api: unknown = null;
  proto.route = function (this: unknown, path: string) {
    const made = route.call(this as typeof proto, path);
    routes.set(this, [...(routes.get(this) ?? []), made]);
    return made;
  };
  proto.use = function (this: unknown, ...given: unknown[]) {
    if (given[0] === "/api/v1") api = given[1];
    inside.set(this, [...(inside.get(this) ?? []), ...given]);
    return use.apply(this as typeof proto, given);
  };
  server = await serve();
  Object.assign(proto, { route, use });
  const below = (router: unknown): unknown[] => [router, ...(inside.get(router) ?? []).flatMap(below)];
  for (const { path, methods } of below(api).flatMap((router) => routes.get(router) ?? [])) {
    for (const method of Object.keys(methods)) registered.add(`${method} ${path}`);
  }
});
afterAll(() => server.stop());

test("the file and the routers name the same calls", async () => {
  const named = ROUTES.map(({ method, path }) => `${method} ${path}`);
  expect([...registered].sort()).toEqual([...named].sort());
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
