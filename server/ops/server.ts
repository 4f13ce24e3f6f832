/** The port for those who run the server, bound to loopback: health, readiness, metrics, admin (PROTOCOL 6). */
import { createServer } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import helmet from "helmet";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import { loopbackOf } from "../address.ts";
import { sendRefusal, tokenOf } from "../http/common.ts";
import { type AdminPorts, adminRouter } from "./admin.ts";
import { isSameToken, noteAddress, openAdminToken } from "./adminToken.ts";
import type { Metrics } from "./metrics.ts";
import { monitorRouter } from "./monitor.ts";

export interface OpsPorts extends AdminPorts {
  /** Where the admin token lies, and the address is noted. */
  readonly dataDir: string;
  readonly metrics: Pick<Metrics, "text" | "contentType">;
  /** Null when calls are taken; else why not, in a word or two. */
  notReady(): string | null;
}

export interface OpsServer {
  readonly port: number;
  close(): void;
}

/** Listens on `host` and `port` (0: a free one). Rejects when the port is taken. */
export async function startOps(host: string, port: number, ports: OpsPorts): Promise<OpsServer> {
  const { metrics, notReady, dataDir, report } = ports;
  const adminToken = openAdminToken(dataDir);
  const app = express();
  app.disable("x-powered-by");
  app.use(helmet({ strictTransportSecurity: false }));
  // A page elsewhere can give a name of its own the address of this machine: only ours are answered.
  app.use((req, res, next) => {
    if (isOwnName(req.headers.host ?? "", host)) return next();
    sendRefusal(res, refuse("forbidden", "Call this port by its address."));
  });
  app.get("/healthz", (_req, res) => void res.json({ status: "ok" }));
  app.get("/readyz", (_req, res) => {
    const reason = notReady();
    res
      .status(reason === null ? 200 : 503)
      .json(reason === null ? { status: "ready" } : { status: "not_ready", reason });
  });
  app.get("/metrics", async (_req, res) => {
    res.set("Content-Type", metrics.contentType).send(await metrics.text());
  });
  app.use("/admin", withToken(adminToken), adminRouter(ports));
  app.use("/monitor", withPassword(adminToken), monitorRouter());
  app.use((_req, res) =>
    sendRefusal(res, refuse("not_found", "There are /healthz, /readyz, /metrics, /admin and /monitor here.")),
  );
  app.use(lastWord((error) => report.error(error, { at: "ops" })));
  const server = createServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const at = (server.address() as AddressInfo).port;
  let forget = () => {};
  try {
    forget = noteAddress(dataDir, `http://${loopbackOf(host)}:${at}`);
  } catch (error) {
    // A full disk: whoever needs the address can name it.
    report.error(error, { at: "ops.address" });
  }
  return {
    port: at,
    close() {
      try {
        forget();
      } catch (error) {
        report.error(error, { at: "ops.address" });
      }
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Lets those through who bring the token as a bearer: a page elsewhere cannot make a browser do that. */
function withToken(token: string): RequestHandler {
  return (req, _res, next) => {
    const given = tokenOf(req);
    if (given !== null && isSameToken(given, token)) return next();
    throw new RefusalError(refuse("unauthorized", "This needs the admin token that lies in the data folder."));
  };
}

/** The same for a browser, which asks for a password: only for what changes nothing, since pages elsewhere profit by it. */
function withPassword(token: string): RequestHandler {
  return (req, res, next) => {
    const [, text = ""] = /^Basic +([\w+/]+=*)$/i.exec(req.get("authorization") ?? "") ?? [];
    const password = Buffer.from(text, "base64")
      .toString("utf8")
      .replace(/^[^:]*:/, "");
    if (isSameToken(password, token)) return next();
    const { code, message } = refuse("unauthorized", "Any name, and the admin token as password.");
    res.set("WWW-Authenticate", 'Basic realm="Gearmice"').status(401).json({ error: { code, message } });
  };
}

function lastWord(report: (error: unknown) => void): ErrorRequestHandler {
  return (error: unknown, _req, res, _next) => {
    if (res.headersSent) return void res.destroy();
    if (error instanceof RefusalError) return sendRefusal(res, error.refusal);
    const { status } = error as { status?: unknown };
    if (typeof status === "number" && status >= 400 && status < 500) {
      return sendRefusal(res, refuse("bad_request", "The request cannot be read."));
    }
    report(error);
    sendRefusal(res, refuse("internal", "Something went wrong here."));
  };
}

function isOwnName(header: string, host: string): boolean {
  const name = header.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
  // A number is no name: no page elsewhere can have it point here.
  return isIP(name) !== 0 || name === "localhost" || name === host;
}
