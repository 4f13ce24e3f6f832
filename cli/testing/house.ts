/** For tests: a whole server with its real bots on a free port, reached by them through a line that can be cut. */
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { readConfig } from "../../server/config.ts";
import { type Composed, composeServer } from "../compose.ts";

export interface House extends Composed {
  readonly url: string;
  readonly errors: { readonly error: unknown; readonly context: object }[];
  readonly infos: { readonly message: string; readonly context: Readonly<Record<string, unknown>> }[];
  /** Cuts every connection of the bots; they may come back at once. Returns how many there were. */
  cut(): number;
}

export async function openHouse(env: Readonly<Record<string, string>> = {}, botThreads = 2): Promise<House> {
  const dataDir = await mkdtemp(join(tmpdir(), "gearmice-house-"));
  const config = readConfig({
    PORT: "0",
    HOST: "127.0.0.1",
    DATA_DIR: dataDir,
    SHOWCASE: "off",
    RATE_LIMITS: "off",
    BOT_PACE_MS: "0",
    SHOWCASE_PACE_MS: "0",
    ...env,
  });
  const errors: House["errors"] = [];
  const infos: House["infos"] = [];
  const line = await openLine();
  const composed = await composeServer(config, {
    logs: {
      logger: pino({ level: "silent" }),
      error: (error, context) => void errors.push({ error, context }),
      info: (message, context) => void infos.push({ message, context }),
    },
    botThreads,
    botUrl: (url) => line.to(url),
  });
  return {
    ...composed,
    url: composed.app.url,
    errors,
    infos,
    cut: line.cut,
    async close() {
      await composed.close();
      line.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A TCP line to a server that is named later. */
async function openLine() {
  const sockets = new Set<Socket>();
  let target = 0;
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    const open = [...sockets];
    for (const socket of open) socket.destroy();
    return open.length;
  };
  return {
    to(url: string): string {
      target = Number(new URL(url).port);
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    cut,
    close() {
      server.close();
      cut();
    },
  };
}
