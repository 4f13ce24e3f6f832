/** A TCP proxy in front of a server, which can cut what goes through it, or hold it back. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** `requests` go to the server, `answers` come back. */
export type Direction = "requests" | "answers";

export interface Proxy {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Breaks every connection and takes no new one until `mend`. What is held back of its answers is lost. */
  cut(): void;
  mend(): void;
  /**
   * Lets nothing through in one direction on the connections that are open now. Held requests arrive when they are let
   * go, also those of clients that have gone meanwhile, as in a network that delivers late.
   */
  hold(direction: Direction): void;
  /** Lets through what was held, in order. */
  letGo(): void;
  /** From now on everything takes so many milliseconds longer, in both directions. */
  delay(ms: number): void;
  /**
   * Every connection that is open dies at the client's end alone: the server hears nothing any more, not even that,
   * as when a net swallows the closing. It is told when the proxy closes.
   */
  vanish(): void;
  close(): Promise<void>;
}

/** `heard` is given every answer that goes through, with the number of its connection. */
export async function startProxy(
  target: string,
  heard: (connection: number, bytes: Buffer) => void = () => {},
): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const near = new Set<Socket>();
  /** Their server's end stays open. */
  const vanished = new Set<Socket>();
  let broken = false;
  let delayMs = 0;
  let held: { readonly direction: Direction; readonly sockets: ReadonlySet<Socket> } | null = null;
  let late: (() => void)[] = [];
  let connections = 0;

  const pass = (direction: Direction, from: Socket, to: Socket) => {
    const orHeld = (act: () => void) => {
      if (held?.direction === direction && held.sockets.has(from)) late.push(act);
      else act();
    };
    /** What came first goes first, also when the delay has changed meanwhile or a timer is late. */
    const slow: (() => void)[] = [];
    const orLater = (act: () => void) => {
      if (delayMs === 0 && slow.length === 0) return orHeld(act);
      slow.push(act);
      setTimeout(() => orHeld(slow.shift() as () => void), delayMs);
    };
    open.add(from);
    from.on("error", () => from.destroy());
    from.on("data", (chunk) =>
      orLater(() => {
        if (to.destroyed || to.write(chunk)) return;
        from.pause();
        to.once("drain", () => from.resume());
      }),
    );
    from.on("end", () => orLater(() => to.end()));
    from.on("close", () => {
      open.delete(from);
      near.delete(from);
      if (!vanished.has(from)) orLater(() => to.destroySoon());
    });
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (broken) {
      client.resetAndDestroy();
      return;
    }
    near.add(client);
    const far = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    pass("requests", client, far);
    pass("answers", far, client);
    const connection = connections++;
    far.on("data", (chunk) => heard(connection, chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of open) socket.resetAndDestroy();
  };
  const letGo = () => {
    held = null;
    const acts = late;
    late = [];
    for (const act of acts) act();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      broken = true;
      cut();
    },
    mend() {
      broken = false;
    },
    hold(direction) {
      held = { direction, sockets: new Set(open) };
    },
    letGo,
    delay(ms) {
      delayMs = ms;
    },
    vanish() {
      for (const client of near) {
        vanished.add(client);
        client.resetAndDestroy();
      }
    },
    close() {
      letGo();
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
