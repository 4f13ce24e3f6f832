/** The OpenAPI 3.1 file, made of the route table and its zod schemas; and its page, `/docs`, without any script. */
import { Router } from "express";
import { z } from "zod";
import { type ErrorCode, STATUS_OF } from "../../shared/protocol/codes.ts";
import { COMMON_CODES, ROUTES, type Route } from "./routes.ts";

const schemaOf = (schema: z.ZodType, io: "input" | "output") => {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return made;
};

/** `/rooms/:code` as OpenAPI has it: `/rooms/{code}`. */
export const openApiPath = (path: string) => path.replace(/:(\w+)/g, "{$1}");

function operation(route: Route) {
  const { path, tag, summary, token, query = {}, body, status, answer, ndjson, codes } = route;
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
  const refusals = Map.groupBy([...codes, ...COMMON_CODES], (code) => STATUS_OF[code]);
  return {
    tags: [tag],
    summary,
    security: token === "none" ? [] : token === "optional" ? [{}, { bearer: [] }] : [{ bearer: [] }],
    ...(token === "none" ? {} : { description: `Token: ${token}.` }),
    parameters: [...inPath, ...inQuery],
    ...(body
      ? { requestBody: { required: true, content: { "application/json": { schema: schemaOf(body, "input") } } } }
      : {}),
    responses: {
      [status]: { description: "Done", content: { [type]: { schema: answer ? schemaOf(answer, "output") : {} } } },
      ...Object.fromEntries([...refusals].map(([code, words]) => [code, refusal(words)])),
    },
  };
}

function refusal(words: readonly ErrorCode[]) {
  const code = { type: "string", enum: words };
  const error = {
    type: "object",
    required: ["code", "message"],
    properties: { code, message: { type: "string" }, retry_after_s: { type: "number" } },
  };
  const schema = { type: "object", required: ["error"], properties: { error } };
  return { description: words.join(", "), content: { "application/json": { schema } } };
}

export function makeOpenApi() {
  const paths: Record<string, Record<string, ReturnType<typeof operation>>> = {};
  for (const route of ROUTES) {
    const path = openApiPath(route.path);
    paths[path] = { ...paths[path], [route.method]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Gearmice", version: "1", description: "The HTTP door. Refusals carry one stable code." },
    servers: [{ url: "/api/v1" }],
    components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
    paths,
  };
}

export function openApiRouter(): Router {
  const file = makeOpenApi();
  const router = Router();
  router.get("/openapi.json", (_req, res) => void res.json(file));
  return router;
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

export function docsRouter(): Router {
  const { info, paths } = makeOpenApi();
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, description = "", parameters, requestBody, responses }]) => {
      const fields = parameters.map(
        (p) =>
          `<li><code>${escaped(String(p.name))}</code> (${p.in}) ${escaped("description" in p ? p.description : "")}</li>`,
      );
      const body = requestBody
        ? `<h3>Body</h3><pre tabindex="0">${escaped(JSON.stringify(requestBody.content["application/json"].schema, null, 2))}</pre>`
        : "";
      const answers = Object.entries<{ readonly description: string }>(responses).map(
        ([status, r]) => `<li><code>${status}</code> ${escaped(r.description)}</li>`,
      );
      return `<section><h2><span>${method.toUpperCase()}</span> <code>/api/v1${escaped(path)}</code></h2><p>${escaped(`${summary}. ${description}`)}</p>${fields.length > 0 ? `<ul>${fields.join("")}</ul>` : ""}<details><summary>Body and answers</summary>${body}<h3>Answers</h3><ul>${answers.join("")}</ul></details></section>`;
    }),
  );
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Gearmice API</title><link rel="stylesheet" href="/docs.css"></head><body><main><h1>Gearmice API</h1><p>${escaped(info.description)} As a file: <a href="/api/v1/openapi.json">openapi.json</a>.</p>${calls.join("")}</main></body></html>`;
  const router = Router();
  router.get("/docs", (_req, res) => void res.type("html").send(page));
  return router;
}
