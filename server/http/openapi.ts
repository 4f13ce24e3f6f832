/** The OpenAPI 3.1 file, made of the route tables and their zod schemas. */
import { Router } from "express";
import { z } from "zod";
import { ANSWERS } from "../../shared/protocol/answers.ts";
import { type ErrorCode, STATUS_OF } from "../../shared/protocol/codes.ts";
import { ROOT_ROUTES } from "./rootRoutes.ts";
import { COMMON_CODES, ROUTES, type Route } from "./routes.ts";

/** Where the routes of `ROUTES` lie. */
export const API = "/api/v1";

const bodySchema = (schema: z.ZodType) => {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return made;
};

const uri = (id: string) => `#/components/schemas/${id}`;

/** The answers by their names; they refer to each other by them. */
function answerSchemas() {
  const { schemas } = z.toJSONSchema(ANSWERS, { io: "output", uri });
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]));
}

function answerRef(schema: z.ZodType | undefined) {
  const id = schema === undefined ? undefined : ANSWERS.get(schema)?.id;
  return id === undefined ? {} : { $ref: uri(id) };
}

/** `/rooms/:code` as OpenAPI has it: `/rooms/{code}`. */
export const openApiPath = (path: string) => path.replace(/:(\w+)/g, "{$1}");

/** A name for the functions of generated clients: `postRoomsCodeJoin`. */
function operationId(method: string, path: string, tag: Route["tag"]): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const door = tag === "classic A2A" ? "A2a" : tag === "hosted SDK" ? "Sdk" : "";
  return `${method}${door}${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}`;
}

export function operation(route: Route) {
  const { method, path, tag, summary, token, query = {}, body, status, answer, ndjson, codes } = route;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = Object.entries(query).map(([name, description]) => ({
    name,
    in: "query",
    description,
    schema: { type: "string" },
  }));
  const type = ndjson ? "application/x-ndjson" : "application/json";
  const carried = tag === "hosted SDK" ? [{ bearer: [] }, { firebase: [] }] : [{ bearer: [] }];
  const ofBodies: readonly ErrorCode[] = body ? ["bad_request", "too_large"] : [];
  const all = new Set([...codes, ...ofBodies, ...COMMON_CODES]);
  const refusals = Map.groupBy(all, (code) => STATUS_OF[code]);
  return {
    tags: [tag],
    summary,
    operationId: operationId(method, path, tag),
    security: token === "none" ? [] : token === "optional" ? [{}, ...carried] : carried,
    ...(token === "none" ? {} : { description: `Token: ${token}.` }),
    parameters: [...inPath, ...inQuery],
    ...(body ? { requestBody: { required: true, content: { "application/json": { schema: bodySchema(body) } } } } : {}),
    responses: {
      [status]: { description: "Done", content: { [type]: { schema: answerRef(answer) } } },
      ...Object.fromEntries([...refusals].map(([code, words]) => [code, refusal(words, tag === "hosted SDK")])),
    },
  };
}

/** `beside`: whether `success` and `msg` stand beside the envelope of all doors. */
function refusal(words: readonly ErrorCode[], beside: boolean) {
  const code = { type: "string", enum: words };
  const error = {
    type: "object",
    required: ["code", "message"],
    properties: { code, message: { type: "string" }, retry_after_s: { type: "number" } },
  };
  const said = beside ? { success: { const: false }, msg: { type: "string" } } : {};
  const schema = { type: "object", required: ["error", ...Object.keys(said)], properties: { error, ...said } };
  return { description: words.join(", "), content: { "application/json": { schema } } };
}

const ABOUT = [
  "The HTTP door: /api/v1, and at the root the classic A2A and the hosted SDK interface.",
  "Refusals carry one stable code.",
  "Beside it, on the same port: MCP (Streamable HTTP) at /mcp, Socket.IO in the namespace /agents, Colyseus.",
].join(" ");

const TAGS: Readonly<Record<Route["tag"], string>> = {
  identity: "Who you are, and where you sit",
  rooms: "Rooms by their code",
  matches: "Matches by their id",
  results: "Records, certificates, the leaderboard",
  about: "What there is",
  "classic A2A": "Solo games in the classic dialect. A command that the rules refuse is 200 with `success: false`.",
  "hosted SDK": "Clients of the hosted SDK. A command that the rules refuse is 200 with `success: false`.",
};

export function makeOpenApi() {
  const paths: Record<string, Record<string, ReturnType<typeof operation>>> = {};
  const add = (base: string, route: Route) => {
    const path = `${base}${openApiPath(route.path)}`;
    paths[path] = { ...paths[path], [route.method]: operation(route) };
  };
  for (const route of ROUTES) add(API, route);
  for (const route of ROOT_ROUTES) add("", route);
  const securitySchemes = {
    bearer: { type: "http", scheme: "bearer" },
    firebase: { type: "apiKey", in: "header", name: "X-Firebase-Token" },
  };
  return {
    openapi: "3.1.0",
    info: { title: "Gearmice", version: "1", description: ABOUT },
    servers: [{ url: "/" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    components: { securitySchemes, schemas: answerSchemas() },
    paths,
  };
}

export function openApiRouter(): Router {
  const file = makeOpenApi();
  const router = Router();
  router.get("/openapi.json", (_req, res) => void res.json(file));
  return router;
}
