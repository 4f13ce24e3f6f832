/** A TCP proxy in front of a server, which can cut what goes through it. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Proxy {
  readonly url: string;
  /** Breaks every connection and takes no new one until `mend`. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let broken = false;
  const server = createServer((near) => {
    if (broken) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of open) socket.resetAndDestroy();
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
    close() {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
