/** For tests: a server on loopback that speaks the wire formats of the three kinds of providers, and says what it is told to. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";

export type Wire = "openai" | "anthropic" | "google";

export interface Asked {
  readonly wire: Wire;
  readonly model: string;
  readonly stream: boolean;
  readonly system: string;
  /** The last thing that the user said. */
  readonly user: string;
  readonly turns: number;
  readonly headers: IncomingMessage["headers"];
  /** Resolves when the caller's connection has gone. */
  readonly gone: Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: as each provider has it
  readonly body: any;
}

export interface Said {
  readonly text?: string;
  /** Thinking that the provider tells apart from the answer. */
  readonly thinking?: string;
  readonly input?: number;
  /** Thinking included. */
  readonly output?: number;
  readonly thinkingTokens?: number;
  /** The answer reached its limit. */
  readonly isTruncated?: boolean;
  /** An error instead of an answer. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly errorBody?: string;
  /** `hang`: nothing more comes; `cut`: the connection ends, both after `text`. `garbage`: bytes that are no answer. */
  readonly end?: "hang" | "cut" | "garbage";
  /** Without the numbers of tokens. */
  readonly noUsage?: boolean;
}

export interface ModelServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly asked: Asked[];
  /** The base address as a provider's configuration has it. */
  at(wire: Wire): string;
  /** Ends what hangs, too. */
  close(): Promise<void>;
}

export async function startModelServer(say: (asked: Asked, n: number) => Said | Promise<Said>): Promise<ModelServer> {
  const asked: Asked[] = [];
  const server = createServer((req, res) => {
    void (async () => {
      const gone = new Promise<void>((resolve) => res.once("close", resolve));
      const found = read(req, JSON.parse((await textOf(req)) || "{}"));
      if (found === null) return void res.writeHead(404).end("no such model");
      const one = { ...found, gone };
      asked.push(one);
      answer(res, one, await say(one, asked.length));
    })().catch((error) => res.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    at: (wire) => (wire === "google" ? `${url}/v1beta` : `${url}/v1`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of three kinds
function read(req: IncomingMessage, body: any): Omit<Asked, "gone"> | null {
  const { headers } = req;
  const plain = (content: unknown): string =>
    typeof content === "string" ? content : (content as { text?: string }[]).map(({ text = "" }) => text).join("");
  if (req.url === "/v1/chat/completions") {
    const said = body.messages.filter((m: { role: string }) => m.role !== "system");
    const system = body.messages.find((m: { role: string }) => m.role === "system");
    const { model, stream = false } = body;
    return {
      wire: "openai",
      model,
      stream,
      system: plain(system?.content ?? ""),
      user: plain(said.at(-1).content),
      turns: said.length,
      headers,
      body,
    };
  }
  if (req.url === "/v1/messages") {
    const { model, stream = false, system = "", messages } = body;
    const user = plain(messages.at(-1).content);
    return { wire: "anthropic", model, stream, system: plain(system), user, turns: messages.length, headers, body };
  }
  const google = /^\/v1beta\/models\/([^:]+):(generateContent|streamGenerateContent)/.exec(req.url ?? "");
  if (google === null) return null;
  return {
    wire: "google",
    model: google[1] ?? "",
    stream: google[2] === "streamGenerateContent",
    system: plain(body.systemInstruction?.parts ?? ""),
    user: plain(body.contents.at(-1).parts),
    turns: body.contents.length,
    headers,
    body,
  };
}

function answer(res: ServerResponse, asked: Asked, said: Said): void {
  const { status = 200, headers = {}, errorBody, end } = said;
  if (status !== 200) {
    const error = {
      error: { message: `the model is not to be had (${status})`, type: "error", code: status, status: "X" },
    };
    const body = errorBody ?? JSON.stringify(asked.wire === "anthropic" ? { type: "error", ...error } : error);
    return void res.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  }
  if (end === "garbage") {
    return void res
      .writeHead(200, { "content-type": asked.stream ? "text/event-stream" : "application/json" })
      .end("<html>504</html>\n\n");
  }
  if (!asked.stream) {
    if (end === "hang") return;
    if (end === "cut") return void res.destroy();
    return void res
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify(WIRES[asked.wire].whole(asked, said)));
  }
  res.writeHead(200, { "content-type": "text/event-stream" });
  const { begin, finish } = WIRES[asked.wire].pieces(asked, said);
  for (const piece of begin) res.write(piece);
  if (end === "hang") return;
  // What was written is to arrive before the end that is none.
  if (end === "cut") return void setImmediate(() => setImmediate(() => res.destroy()));
  for (const piece of finish) res.write(piece);
  res.end();
}

interface Format {
  whole(asked: Asked, said: Said): object;
  /** Server-sent events: the answer's text, and then what ends it. */
  pieces(asked: Asked, said: Said): { readonly begin: readonly string[]; readonly finish: readonly string[] };
}

const data = (value: object | string) => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
const named = (value: { readonly type: string }) => `event: ${value.type}\n${data(value)}`;
/** A text in pieces, so that none holds all of it. */
const inPieces = (text: string) => {
  const length = Math.max(9, Math.ceil(text.length / 200));
  return Array.from({ length: Math.ceil(text.length / length) }, (_, i) => text.slice(i * length, (i + 1) * length));
};

const openai: Format = {
  whole: ({ model }, said) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: said.text ?? "",
          ...(said.thinking === undefined ? {} : { reasoning_content: said.thinking }),
        },
        finish_reason: said.isTruncated ? "length" : "stop",
      },
    ],
    ...(said.noUsage ? {} : { usage: openaiUsage(said) }),
  }),
  pieces({ model }, said) {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      data({
        id: "chatcmpl-1",
        object: "chat.completion.chunk",
        created: 1,
        model,
        choices: [{ index: 0, delta, finish_reason }],
      });
    const usage = {
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model,
      choices: [],
      usage: openaiUsage(said),
    };
    return {
      begin: [
        chunk({ role: "assistant", content: "" }),
        ...inPieces(said.thinking ?? "").map((piece) => chunk({ reasoning_content: piece })),
        ...inPieces(said.text ?? "").map((piece) => chunk({ content: piece })),
      ],
      finish: [chunk({}, said.isTruncated ? "length" : "stop"), ...(said.noUsage ? [] : [data(usage)]), data("[DONE]")],
    };
  },
};

function openaiUsage({ input = 100, output = 20, thinkingTokens = 0 }: Said) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    completion_tokens_details: { reasoning_tokens: thinkingTokens },
  };
}

const anthropic: Format = {
  whole: ({ model }, said) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content: [
      ...(said.thinking === undefined ? [] : [{ type: "thinking", thinking: said.thinking, signature: "s" }]),
      { type: "text", text: said.text ?? "" },
    ],
    stop_reason: said.isTruncated ? "max_tokens" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: said.input ?? 100, output_tokens: said.output ?? 20 },
  }),
  pieces({ model }, said) {
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: said.input ?? 100, output_tokens: 1 },
    };
    const first = said.thinking === undefined ? 0 : 1;
    const block = (index: number, content_block: object) =>
      named({ type: "content_block_start", index, content_block } as never);
    const delta = (index: number, change: object) =>
      named({ type: "content_block_delta", index, delta: change } as never);
    const stop = (index: number) => named({ type: "content_block_stop", index } as never);
    return {
      begin: [
        named({ type: "message_start", message } as never),
        named({ type: "ping" }),
        ...(first === 0
          ? []
          : [
              block(0, { type: "thinking", thinking: "", signature: "" }),
              ...inPieces(said.thinking ?? "").map((thinking) => delta(0, { type: "thinking_delta", thinking })),
              delta(0, { type: "signature_delta", signature: "s" }),
              stop(0),
            ]),
        block(first, { type: "text", text: "" }),
        ...inPieces(said.text ?? "").map((text) => delta(first, { type: "text_delta", text })),
      ],
      finish: [
        stop(first),
        named({
          type: "message_delta",
          delta: { stop_reason: said.isTruncated ? "max_tokens" : "end_turn", stop_sequence: null },
          usage: { output_tokens: said.output ?? 20 },
        } as never),
        named({ type: "message_stop" }),
      ],
    };
  },
};

const google: Format = {
  whole: (asked, said) => ({
    candidates: [candidate([...thoughts(said), { text: said.text ?? "" }], finishOf(said))],
    usageMetadata: googleUsage(said),
    modelVersion: asked.model,
  }),
  pieces: (asked, said) => ({
    begin: [...thoughts(said), ...inPieces(said.text ?? "").map((text) => ({ text }))].map((part) =>
      data({ candidates: [candidate([part])], modelVersion: asked.model }),
    ),
    finish: [data({ candidates: [candidate([{ text: "" }], finishOf(said))], usageMetadata: googleUsage(said) })],
  }),
};

const candidate = (parts: readonly object[], finishReason?: string) => ({
  content: { role: "model", parts },
  index: 0,
  ...(finishReason === undefined ? {} : { finishReason }),
});
const thoughts = ({ thinking }: Said) => (thinking === undefined ? [] : [{ text: thinking, thought: true }]);
const finishOf = ({ isTruncated }: Said) => (isTruncated ? "MAX_TOKENS" : "STOP");

function googleUsage({ input = 100, output = 20, thinkingTokens = 0 }: Said) {
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - thinkingTokens,
    thoughtsTokenCount: thinkingTokens,
    totalTokenCount: input + output,
  };
}

const WIRES: Readonly<Record<Wire, Format>> = { openai, anthropic, google };
