/** The server as `gearmice serve` composes it, with everything on; settings come from the environment. */
import { composeServer } from "../../../cli/compose.ts";
import { readConfig } from "../../../server/config.ts";
import { serveParent } from "./child.ts";

const server = await composeServer(readConfig(process.env));
serveParent(server.app.url, {
  rooms: () => Promise.reject(new Error("rooms are created over HTTP")),
  stop: () => server.close(),
});
