/** `gearmice serve`: the server, with house bots. */
import { flushCompileCache } from "node:module";
import { Command } from "commander";
import { outsideAddress } from "../server/address.ts";

const HELP = `
Settings come from the environment; none is needed:
  PORT 2567   HOST 0.0.0.0   DATA_DIR ./data   SHOWCASE on|off   TURN_SECONDS 600   LOG_LEVEL info
  REDIS_URL redis://…   any number of processes on one Redis (docs/cluster.md)
(all of them: server/config.ts)

Examples:
  $ gearmice serve
  $ PORT=8080 DATA_DIR=/var/lib/gearmice SHOWCASE=off gearmice serve`;

/** From the signal to the end of the process. */
const EXIT_WITHIN_MS = 9_500;

export function serveCommand(): Command {
  return new Command("serve")
    .description("the server: rooms, doors, house bots")
    .addHelpText("after", HELP)
    .action(serve);
}

/** Serves until SIGINT or SIGTERM; then ends in order. Rejects when it cannot start. */
async function serve(): Promise<void> {
  // The other commands do not wait for the server's modules.
  const [{ composeServer }, { readConfig }] = await Promise.all([
    import("./compose.ts"),
    import("../server/config.ts"),
  ]);
  const config = readConfig(process.env);
  // Listened for before the address is told: whoever reads it may already want the end. A signal that comes twice,
  // as it does through npm, must not cut the orderly end short, which is bounded anyway.
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      // Whatever the storage does, at the start too, shall not hold the process. Not `exit`: that waits for calls of the
      // file system, and one that never returns is just what this is for.
      setTimeout(() => process.kill(process.pid, "SIGKILL"), EXIT_WITHIN_MS).unref();
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end).on(signal, () => {});
  });
  const server = await composeServer(config);
  process.stdout.write(`Gearmice is ready: ${addresses(config.HOST, server.app.port).join("  or  ")}\n`);
  // Now, because a process that is killed writes nothing at its end; the next start is the quicker for it.
  flushCompileCache();
  await ended;
  process.stdout.write("Gearmice is closing ...\n");
  await server.close();
  process.exit();
}

/** Where people can open it: this machine, and its first address in the network when it listens there. */
export function addresses(host: string, port: number): string[] {
  const at = (name: string) => `http://${name.includes(":") ? `[${name}]` : name}:${port}/`;
  if (host !== "0.0.0.0" && host !== "::") return [at(host)];
  const outside = outsideAddress();
  return [at("localhost"), ...(outside === null ? [] : [at(outside)])];
}
