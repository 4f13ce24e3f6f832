/** The OpenAPI file names exactly the routes that Express has, and `/docs` needs nothing that the CSP forbids. */
import { Router } from "express";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { A2A_PATHS } from "../a2a/routes.ts";
import { SDK_PATHS } from "../sdk/routes.ts";
import { call, serve, type TestServer } from "../testing/kit.ts";
import { API, makeOpenApi, openApiPath } from "./openapi.ts";
import { ROOT_ROUTES } from "./rootRoutes.ts";
import { ROUTES } from "./routes.ts";

let server: TestServer;
/** Every route below `/api/v1`, and those of the doors at the root, as `get /path`. */
const registered = new Set<string>();
const atRoot = (path: string) =>
  [...A2A_PATHS, ...SDK_PATHS, "/.well-known"].some((one) => path === one || path.startsWith(`${one}/`));
beforeAll(async () => {
  // Routers are functions whose prototype is Express': what is made and what is used where is seen as it happens.
  type Made = { readonly path: string | string[]; readonly methods: Record<string, boolean> };
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
  const inApi = new Set(below(api));
  for (const [router, made] of routes) {
    const base = inApi.has(router) ? API : "";
    for (const { path: paths, methods } of made) {
      for (const path of [paths].flat()) {
        if (base === "" && !atRoot(path)) continue;
        for (const method of Object.keys(methods)) registered.add(`${method} ${base}${path}`);
      }
    }
  }
});
afterAll(() => server.stop());

const named = [
  ...ROUTES.map(({ method, path }) => `${method} ${API}${path}`),
  ...ROOT_ROUTES.map(({ method, path }) => `${method} ${path}`),
];

test("the file and the routers name the same calls, those at the root too", async () => {
  expect([...registered].sort()).toEqual([...named].sort());
  const { body } = await call(server, "GET", "/openapi.json");
  expect(body.openapi).toBe("3.1.0");
  const inFile = Object.entries(body.paths as object).flatMap(([path, methods]) =>
    Object.keys(methods).map((m) => `${m} ${path.replace(/\{(\w+)\}/g, ":$1")}`),
  );
  expect(inFile.sort()).toEqual([...named].sort());
});

describe("what OpenAPI 3.1 asks of a file", () => {
  const file = makeOpenApi();
  const operations = Object.entries(file.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
  );

  test.each(operations)("$name", ({ path, operation }) => {
    const { parameters, responses, security, tags, summary } = operation;
    const inPath = parameters.filter((one) => one.in === "path").map(({ name }) => name);
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    expect(new Set(parameters.map((one) => `${one.in} ${one.name}`)).size).toBe(parameters.length);
    expect(Object.keys(responses).some((status) => status.startsWith("2"))).toBe(true);
    for (const [status, { description }] of Object.entries<{ readonly description: string }>(responses)) {
      expect([status, description]).toEqual([expect.stringMatching(/^[2-5]\d\d$/), expect.stringMatching(/./)]);
    }
    for (const need of security) {
      for (const scheme of Object.keys(need)) expect(Object.keys(file.components.securitySchemes)).toContain(scheme);
    }
    expect([tags.length, summary]).toEqual([1, expect.stringMatching(/./)]);
  });

  test("operations have names of their own, and every reference leads somewhere", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const refs = [...JSON.stringify(file).matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref = ""]) => ref);
    expect(refs.length).toBeGreaterThan(0);
    const schemas = Object.keys(file.components.schemas);
    for (const ref of new Set(refs)) {
      expect(schemas).toContain(/^#\/components\/schemas\/([\w.-]+)$/.exec(ref)?.[1]);
    }
  });
});

test("the page shows every call and carries no script or style of its own", async () => {
  const answer = await fetch(`${server.url}/docs`);
  const page = await answer.text();
  expect(answer.headers.get("content-type")).toContain("text/html");
  for (const one of named) expect(page).toContain(openApiPath(one.split(" ")[1] ?? ""));
  expect(page).not.toMatch(/<script|<style|style=| on\w+=/);
  expect((await fetch(`${server.url}/docs.css`)).status).toBe(200);
});
