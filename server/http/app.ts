/** The Express app: security headers, bodies, routers, the web app, and the last word on errors. */
import type { ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import express, {
  type ErrorRequestHandler,
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from "express";
import helmet from "helmet";
import type { BotSupervisor, Reporter } from "../../rooms/ports.ts";
import { type Refusal, RefusalError, refuse } from "../../shared/protocol/codes.ts";
import { parseMatchId, parseRoomCode } from "../../shared/protocol/ids.ts";
import { MAX_BODY_BYTES } from "../../shared/protocol/requests.ts";
import { A2A_PATHS, a2aRouter } from "../a2a/routes.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { Sessions } from "../accounts/sessions.ts";
import { routed } from "../cluster/route.ts";
import type { Colyseus } from "../colyseus.ts";
import type { Config } from "../config.ts";
import type { KeyList } from "../keys/recordKeys.ts";
import { MCP_PATH, mcpRouter } from "../mcp/routes.ts";
import type { Ledger } from "../ranking/ledger.ts";
import { besideRefusal, SDK_PATHS, sdkRouter } from "../sdk/routes.ts";
import { ofDoor } from "../service/doors.ts";
import type { MatchStore } from "../store/MatchStore.ts";
import { accountsRouter } from "./accounts.ts";
import { brainsRouter } from "./brains.ts";
import { type HttpPorts, inProgress, limited, sendRefusal, weighed } from "./common.ts";
import { cors } from "./cors.ts";
import { docsRouter } from "./docs.ts";
import { identitiesRouter } from "./identities.ts";
import { matchesRouter } from "./matches.ts";
import { matchmakeRouter } from "./matchmake.ts";
import { openApiRouter } from "./openapi.ts";
import { presetsRouter } from "./presets.ts";
import { promptsRouter } from "./prompts.ts";
import { rankingRouter } from "./ranking.ts";
import { recordRouter } from "./record.ts";
import { roomsRouter } from "./rooms.ts";
import { seatsRouter } from "./seats.ts";
import { sessionsRouter } from "./sessions.ts";
import { streamRouter } from "./stream.ts";

export interface AppPorts extends HttpPorts {
  readonly config: Config;
  readonly report: Reporter;
  readonly store: Pick<MatchStore, "read" | "record">;
  /** What records can be checked with. */
  keys(): KeyList;
  readonly accounts: Accounts;
  readonly sessions: Pick<Sessions, "make" | "find">;
  readonly ledger: Pick<Ledger, "board" | "certificate">;
  readonly colyseus: Pick<Colyseus, "reserve">;
  /** What house seats can be given to. */
  readonly bots: Pick<BotSupervisor, "offered">;
  /** Counts calls by route and status. */
  readonly counted: RequestHandler;
  /** Whether calls are taken: not before recovery is done, nor while going down. */
  ready(): boolean;
}

export function makeApp(ports: AppPorts): Express {
  const { config, report } = ports;
  const app = express();
  app.disable("x-powered-by");
  app.set("query parser", "simple");
  app.use(ports.counted);
  app.use(security());
  app.use(cors(config));
  app.use(["/api", "/matchmake", MCP_PATH, ...A2A_PATHS, ...SDK_PATHS], (_req, res, next) => {
    res.set("Cache-Control", "no-store");
    if (ports.ready()) return next();
    sendRefusal(res, refuse("unavailable", "This server is starting or going down; try again.", 2));
  });

  const { peers } = ports;
  const bounded = [limited(ports, "call"), inProgress(ports), weighed(ports)];
  app.use("/matchmake", bounded);
  if (peers) app.use("/matchmake/joinById/:key", routed(ports.gateway, peers));
  app.use("/matchmake", matchmakeRouter(ports, ports.colyseus));
  const api = Router();
  api.use(bounded);
  if (peers) api.use(["/rooms/:key", "/matches/:key"], routed(ports.gateway, peers));
  // Whatever the type says, a body here is JSON: a forgotten header should not be a riddle.
  api.use(express.json({ limit: MAX_BODY_BYTES, type: () => true }));
  const routers = [
    identitiesRouter(ports),
    presetsRouter(),
    promptsRouter(),
    brainsRouter(ports.bots),
    roomsRouter(ports),
    matchesRouter(ports),
    streamRouter(ports),
    recordRouter(ports, ports.store),
    seatsRouter(ports),
    accountsRouter(ports, ports.accounts),
    sessionsRouter(ports, ports.sessions),
    rankingRouter(ports.ledger),
    openApiRouter(),
  ];
  for (const router of routers) api.use(router);
  app.use("/api/v1", api);
  app.use("/api", nothingHere);
  const atRoot = [MCP_PATH, ...A2A_PATHS, ...SDK_PATHS];
  app.use(atRoot, bounded, express.json({ limit: MAX_BODY_BYTES, type: () => true }));
  app.use(a2aRouter({ ...ports, everywhere: ofDoor(ports.everywhere, "a2a") }));
  app.use(sdkRouter({ ...ports, everywhere: ofDoor(ports.everywhere, "sdk") }));
  app.use(mcpRouter({ ...ports, everywhere: ofDoor(ports.everywhere, "mcp") }, report));
  app.get("/.well-known/gearmice-keys.json", (_req, res) => void res.json(ports.keys()));

  app.use(docsRouter());
  serveClient(app, resolve(config.CLIENT_DIR), resolve(config.PUBLIC_DIR));
  app.use(nothingHere);
  app.use(lastWord(report));
  return app;
}

function security() {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        // Phaser makes textures out of data: and blob: images.
        imgSrc: ["'self'", "data:", "blob:"],
        fontSrc: ["'self'"],
        mediaSrc: ["'self'", "data:", "blob:"],
        workerSrc: ["'self'", "blob:"],
        connectSrc: ["'self'", "ws:", "wss:", "data:", "blob:"],
      },
    },
    // Whether there is TLS is for the proxy in front to say.
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: { policy: "same-origin" },
  });
}

/** Addresses of the web app, which all give its one page. */
const PAGES = ["/", "/room/:code", "/match/:id", "/agents", "/tutorial", "/rules", "/analysis", "/leaderboard", "/tv"];

function serveClient(app: Express, built: string, publicDir: string): void {
  const setHeaders = (res: ServerResponse, path: string) => {
    // Vite names these by their content.
    if (path.startsWith(join(built, "assets"))) res.setHeader("Cache-Control", "public, max-age=31536000, immutable");
  };
  app.use(express.static(built, { index: false, setHeaders }));
  app.use(express.static(publicDir, { index: false }));
  const page = (res: Response, next: NextFunction) => {
    res.set("Cache-Control", "no-cache");
    res.sendFile("index.html", { root: built }, (error) => {
      if (error && !res.headersSent) next();
    });
  };
  app.get(PAGES, (_req, res, next) => page(res, next));
  // Who looks for a page is told by one that there is none; programs are told as everywhere.
  app.use((req, res, next) => {
    if (req.method !== "GET" && req.method !== "HEAD") return next();
    if (req.accepts(["json", "html"]) !== "html") return next();
    page(res.status(404), next);
  });
}

function nothingHere(req: Request, res: Response): void {
  sendRefusal(res, refuse("not_found", `There is no ${req.method} ${`${req.baseUrl}${req.path}`.slice(0, 100)} here.`));
}

/** The match or room that an address names; the rest of it is the caller's. */
function matchIn(url: string): { readonly match_id?: string; readonly code?: string } {
  const [, named = ""] = /\/(?:matches|rooms|joinById)\/([\w-]{1,64})/.exec(url) ?? [];
  const [match_id, code] = [parseMatchId(named), parseRoomCode(named)];
  return match_id !== null ? { match_id } : code !== null ? { code } : {};
}

function lastWord(report: Reporter): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    if (res.headersSent) return void res.destroy();
    const refused = (refusal: Refusal) => sendRefusal(res, refusal, besideRefusal(req.path, refusal));
    if (error instanceof RefusalError) return refused(error.refusal);
    const { type, status } = error as { type?: unknown; status?: unknown };
    if (type === "entity.too.large") {
      return refused(refuse("too_large", `A body has at most ${MAX_BODY_BYTES} bytes.`));
    }
    // What body-parser and the router say of a request they cannot read: bad JSON, bad encoding, a broken upload.
    if (typeof status === "number" && status >= 400 && status < 500) {
      return refused(refuse("bad_request", "The request cannot be read; the body must be JSON."));
    }
    report.error(error, { ...matchIn(req.originalUrl), at: `http ${req.method} ${req.route?.path ?? ""}` });
    refused(refuse("internal", "Something went wrong here."));
  };
}
