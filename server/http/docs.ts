/** The page of the OpenAPI file, `/docs`, without any script or style of its own. */
import { Router } from "express";
import { makeOpenApi, type operation } from "./openapi.ts";

const escaped = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

const json = (value: unknown) => `<pre tabindex="0">${escaped(JSON.stringify(value, null, 2))}</pre>`;

interface Content {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
}

/** A link to the schema of an answer, where it has one. */
function answerLink({ content = {} }: Content): string {
  const refs = Object.values(content).flatMap(({ schema }) => schema.$ref ?? []);
  return refs.map((ref) => ` <a href="#${escaped(nameOf(ref))}">${escaped(nameOf(ref))}</a>`).join("");
}

const nameOf = (ref: string) => ref.split("/").at(-1) ?? "";

/** Text in which `code` stands between backticks. */
const prose = (text: string) => escaped(text).replace(/`([^`]*)`/g, "<code>$1</code>");

type Operation = ReturnType<typeof operation>;

function callSection(path: string, method: string, operation: Operation): string {
  const { operationId, summary, description = "", parameters, requestBody, responses } = operation;
  const fields = parameters.map(
    (p) =>
      `<li><code>${escaped(String(p.name))}</code> (${p.in}) ${"description" in p ? prose(p.description) : ""}</li>`,
  );
  const body = requestBody ? `<h4>Body</h4>${json(requestBody.content["application/json"].schema)}` : "";
  const answers = Object.entries<Content>(responses).map(
    ([status, r]) => `<li><code>${status}</code> ${escaped(r.description)}${answerLink(r)}</li>`,
  );
  return `<section id="${operationId}"><h3><span>${method.toUpperCase()}</span> <code>${escaped(path)}</code></h3><p>${prose(`${summary}. ${description}`)}</p>${fields.length > 0 ? `<ul>${fields.join("")}</ul>` : ""}<details><summary>Body and answers</summary>${body}<h4>Answers</h4><ul>${answers.join("")}</ul></details></section>`;
}

export function docsRouter(): Router {
  const { info, paths, components, tags } = makeOpenApi();
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const anchor = (tag: string) => `tag-${tag.replace(/\W/g, "-")}`;
  const groups = tags.map(({ name, description }) => ({
    name,
    description,
    calls: calls.filter(({ operation }) => operation.tags.some((tag) => tag === name)),
  }));
  const contents = groups.map(({ name, calls }) => {
    const rows = calls.map(
      ({ path, method, operation }) =>
        `<li><a href="#${operation.operationId}">${method.toUpperCase()} ${escaped(path)}</a></li>`,
    );
    return `<li><a href="#${anchor(name)}">${escaped(name)}</a><ul>${rows.join("")}</ul></li>`;
  });
  const sections = groups.map(
    ({ name, description, calls }) =>
      `<h2 id="${anchor(name)}">${escaped(name)}</h2><p>${prose(description)}</p>${calls.map(({ path, method, operation }) => callSection(path, method, operation)).join("")}`,
  );
  const schemas = Object.entries(components.schemas).map(
    ([id, schema]) => `<section id="${escaped(id)}"><h3>${escaped(id)}</h3>${json(schema)}</section>`,
  );
  const head = `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Gearmice API</title><link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="/docs.css"></head>`;
  const intro = `<h1>Gearmice API</h1><p>${escaped(info.description)} As a file: <a href="/api/v1/openapi.json">openapi.json</a>. Lines to copy: <a href="/agents">run your own agent</a>.</p>`;
  const nav = `<nav aria-label="Contents"><ul>${contents.join("")}<li><a href="#answers">What is answered</a></li></ul></nav>`;
  const page = `<!doctype html><html lang="en">${head}<body><main>${intro}${nav}${sections.join("")}<h2 id="answers">What is answered</h2>${schemas.join("")}</main></body></html>`;
  const router = Router();
  router.get("/docs", (_req, res) => void res.type("html").send(page));
  return router;
}
