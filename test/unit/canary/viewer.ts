/** Somebody who uses every door of a server, each byte of whose answers is kept. */
import { Client, type Room } from "@colyseus/sdk";
import { io, type Socket } from "socket.io-client";
import { call, type Json } from "../../../server/testing/kit.ts";
import { startProxy } from "../../support/proxy.ts";

export interface Viewer {
  readonly name: string;
  readonly url: string;
  /** All answers so far, each connection by itself. */
  bytes(): Buffer[];
  /** From here on answers count as heard after the mark. */
  mark(): void;
  before(): Buffer[];
  after(): Buffer[];
  http(method: string, path: string, options?: { token?: string | null; body?: unknown }): Promise<Json>;
  /** Opens a stream of lines and reads it to its end. */
  stream(path: string, token?: string | null): void;
  room(code: string, options: object): Promise<Room>;
  agent(token: string | null, transport: "polling" | "websocket"): Agent;
  close(): Promise<void>;
}

export interface Agent {
  ask(name: string, payload?: unknown): Promise<Json>;
}

export async function openViewer(name: string, target: string): Promise<Viewer> {
  const heard: { readonly connection: number; readonly bytes: Buffer }[] = [];
  const proxy = await startProxy(target, (connection, bytes) => heard.push({ connection, bytes }));
  let marked = 0;
  const ends: (() => unknown)[] = [];
  const joined = (from: number, to: number) => {
    const byConnection = new Map<number, Buffer[]>();
    for (const { connection, bytes } of heard.slice(from, to)) {
      byConnection.set(connection, [...(byConnection.get(connection) ?? []), bytes]);
    }
    return [...byConnection.values()].map((parts) => Buffer.concat(parts));
  };
  return {
    name,
    url: proxy.url,
    bytes: () => joined(0, heard.length),
    mark() {
      marked = heard.length;
    },
    before: () => joined(0, marked),
    after: () => joined(marked, heard.length),
    http: async (method, path, options) => (await call(proxy, method, path, options)).body,
    stream(path, token = null) {
      const controller = new AbortController();
      ends.push(() => controller.abort());
      const headers = token === null ? {} : { authorization: `Bearer ${token}` };
      fetch(`${proxy.url}/api/v1${path}`, { headers, signal: controller.signal })
        .then((answer) => answer.text())
        .catch(() => {});
    },
    async room(code, options) {
      const room = await new Client(proxy.url).joinById(code, options);
      room.reconnection.enabled = false;
      for (const type of ["event", "presence", "refused", "seat", "rematch"]) room.onMessage(type, () => {});
      ends.push(() => room.leave().catch(() => {}));
      return room;
    },
    agent(token, transport) {
      const auth = token === null ? {} : { token };
      const socket: Socket = io(`${proxy.url}/agents`, { auth, forceNew: true, transports: [transport] });
      ends.push(() => socket.close());
      return { ask: (event, payload) => socket.timeout(10_000).emitWithAck(event, payload) };
    },
    async close() {
      // A room whose server has died says nothing to a farewell.
      for (const end of ends) void end();
      await proxy.close();
    },
  };
}
