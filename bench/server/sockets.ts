/**
 * Clients as thin as can be, so that the generator takes little from the cores it shares with the server: Colyseus'
 * frames over `ws`, looked at by their first bytes.
 */
import { Protocol } from "@colyseus/core";
import { Agent, request } from "undici";
import { WebSocket } from "ws";
import type { SubjectName } from "./subject.ts";

export interface Door {
  readonly kind: SubjectName;
  readonly url: string;
}

export interface FrameHandler {
  /** An accepted move is answered. */
  answered?(): void;
  /** An event of the room. */
  event?(): void;
}

const CONNECTIONS = 32;
const agent = new Agent({ connections: CONNECTIONS });

const ASKED_AGAIN_MS = 100;

/** A call that must succeed; "not now" is asked again. */
export async function post<T>(url: string, token: string | null, body: object): Promise<T> {
  const answer = await request(url, {
    dispatcher: agent,
    method: "POST",
    headers: { "content-type": "application/json", ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode === 503) {
    await new Promise((resolve) => setTimeout(resolve, ASKED_AGAIN_MS));
    return post(url, token, body);
  }
  if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.statusCode} ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
}

interface Reservation {
  readonly sessionId: string;
  readonly processId: string;
  readonly roomId: string;
}

/** A socket in a room; resolves when it has joined. `localAddress`: from where, as one address has only so many ports. */
export async function enter(
  { kind, url }: Door,
  key: string,
  options: object,
  handler: FrameHandler,
  localAddress = "127.0.0.1",
): Promise<WebSocket> {
  const at = url.replace("http:", "ws:");
  if (kind === "ws") return opened(new WebSocket(`${at}/${key}`, { perMessageDeflate: false, localAddress }), handler);
  const seat = await post<Reservation>(`${url}/matchmake/joinById/${key}`, null, options);
  const address = `${at}/${seat.processId}/${seat.roomId}?sessionId=${seat.sessionId}`;
  return opened(new WebSocket(address, { perMessageDeflate: false, localAddress }), handler, true);
}

const JOINED = Buffer.from([Protocol.JOIN_ROOM]);
/** `"ok": true` in MessagePack. */
const OK = Buffer.from([0xa2, 0x6f, 0x6b, 0xc3]);
/** The text `event` as Colyseus writes it before a message. */
const EVENT = Buffer.from([0xa5, ...Buffer.from("event")]);

function opened(socket: WebSocket, handler: FrameHandler, colyseus = false): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => reject(error);
    socket.once("error", failed);
    const closed = (code: number) => failed(new Error(`closed with ${code} before it had joined`));
    socket.once("close", closed);
    const joined = () => {
      socket.off("close", closed);
      resolve(socket);
    };
    if (!colyseus) socket.once("open", joined);
    socket.on("message", (frame: Buffer) => {
      switch ((frame[0] ?? 0) & 0x1f) {
        case Protocol.JOIN_ROOM:
          socket.send(JOINED);
          return joined();
        case Protocol.ROOM_DATA:
          if (frame.compare(EVENT, 0, EVENT.length, 1, 1 + EVENT.length) === 0) handler.event?.();
          return;
        case Protocol.ROOM_RESPONSE:
          if (!frame.subarray(0, 40).includes(OK)) throw new Error(`a move was refused: ${frame.toString("latin1")}`);
          handler.answered?.();
          return;
        case Protocol.ERROR:
          return failed(new Error(frame.toString("latin1")));
      }
    });
  });
}

/** Runs `work` for 0..count-1, so many at once. */
export async function times<T>(count: number, atOnce: number, work: (i: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(atOnce, count) }, async () => {
      for (let i = next++; i < count; i = next++) results[i] = await work(i);
    }),
  );
  return results;
}
