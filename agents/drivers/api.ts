/** The HTTP door (PROTOCOL 6) as a client sees it. Lost connections and refusals that pass are tried again. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, readRefusal, refuse } from "../../shared/protocol/codes.ts";
import { backoffMs } from "./reconnect.ts";

export interface Call {
  readonly method?: "GET" | "POST";
  readonly token?: string | null;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export interface Api {
  /** For example `http://localhost:2567`, without a slash at the end. */
  readonly root: string;
  /**
   * One call; `path` without `/api/v1`. Resolves with the answer or the refusal, with what stands beside it (a move's
   * state). `unavailable` when the server cannot be reached or answers nonsense.
   */
  call<T extends object>(path: string, call?: Call): Promise<Answer<T>>;
  /**
   * The same, again and again while the refusal is one that passes; `onWait` is told of each wait. `done` is asked before
   * each further try: whether the call has been granted after all, and its answer was lost.
   */
  insist<T extends object>(path: string, call?: Call, done?: () => Promise<Answer<T> | null>): Promise<Answer<T>>;
  /** The lines of an NDJSON answer, empty ones left out. Ends with the answer; rejects when it breaks off. */
  lines(path: string, call?: Call): AsyncGenerator<unknown>;
}

/** Refusals after which the same call may be granted. */
const PASSING: ReadonlySet<string> = new Set(["rate_limited", "unavailable", "internal"]);

export function openApi(root: string, onWait: (reason: string, ms: number) => void = () => {}): Api {
  const base = `${root.replace(/\/+$/, "")}/api/v1`;
  const ask = (path: string, { method, token, body, signal }: Call) =>
    fetch(`${base}${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });

  const call: Api["call"] = async <T extends object>(path: string, given: Call = {}): Promise<Answer<T>> => {
    try {
      const response = await ask(path, given);
      const answer = (await response.json()) as Record<string, unknown>;
      if (response.ok) return { ...(answer as T), ok: true };
      const { error: _, ...beside } = answer;
      const refusal = readRefusal(answer);
      return refusal === null
        ? refuse("unavailable", `HTTP ${response.status} without a code`, 1)
        : { ...beside, ...refusal };
    } catch (error) {
      if (given.signal?.aborted) throw error;
      return refuse("unavailable", `${base} cannot be reached: ${reasonOf(error)}`);
    }
  };

  return {
    root,
    call,
    async insist<T extends object>(
      path: string,
      given: Call = {},
      done: () => Promise<Answer<T> | null> = async () => null,
    ): Promise<Answer<T>> {
      for (let failures = 0; ; failures += 1) {
        const answer = await call<T>(path, given);
        if (answer.ok || !PASSING.has(answer.code)) return answer;
        const ms = Math.max(backoffMs(failures), (answer.retry_after_s ?? 0) * 1_000);
        onWait(answer.message, ms);
        await sleep(ms, undefined, given.signal ? { signal: given.signal } : {});
        const granted = await done();
        if (granted?.ok) return granted;
      }
    },
    async *lines(path, given = {}) {
      const response = await ask(path, given);
      if (!response.ok || response.body === null) {
        const refusal = readRefusal(await response.json().catch(() => null));
        throw new Error(refusal === null ? `HTTP ${response.status}` : `${refusal.code}: ${refusal.message}`);
      }
      let rest = "";
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        const lines = `${rest}${chunk}`.split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) if (line !== "") yield JSON.parse(line);
      }
    },
  };
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  return cause?.code ?? cause?.message ?? message ?? String(error);
}
