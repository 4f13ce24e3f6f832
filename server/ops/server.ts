/** The port for those who run the server, bound to loopback: health, readiness, metrics (PROTOCOL 6). */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import helmet from "helmet";
import { refuse } from "../../shared/protocol/codes.ts";
import { sendRefusal } from "../http/common.ts";
import type { Metrics } from "./metrics.ts";

export interface OpsPorts {
  readonly metrics: Pick<Metrics, "text" | "contentType">;
  /** Null when calls are taken; else why not, in a word or two. */
  notReady(): string | null;
}

export interface OpsServer {
  readonly port: number;
  close(): void;
}

/** Listens on `host` and `port` (0: a free one). Rejects when the port is taken. */
export async function startOps(host: string, port: number, { metrics, notReady }: OpsPorts): Promise<OpsServer> {
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
  app.use((_req, res) => sendRefusal(res, refuse("not_found", "There are /healthz, /readyz and /metrics here.")));
  const server = createServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function isOwnName(header: string, host: string): boolean {
  const name = header.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
  return ["localhost", "127.0.0.1", "::1", host].includes(name);
}
