/** The process: one public port in front of Colyseus and Express, recovery before the first call, an orderly end. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import type { BotSupervisor, Clock } from "../rooms/ports.ts";
import { refuse } from "../shared/protocol/codes.ts";
import { makeAccounts } from "./accounts/accounts.ts";
import { makeSessions } from "./accounts/sessions.ts";
import { openSmallFile, SMALL_FILE, type SmallStore } from "./accounts/smallStore.ts";
import { addressOf, loopbackOf, outsideAddress } from "./address.ts";
import { systemClock } from "./clock.ts";
import { Peers } from "./cluster/peers.ts";
import { handOnSocket } from "./cluster/route.ts";
import { type CodeKeeper, RoomCodes } from "./codes.ts";
import { bootColyseus, isRoomSocket } from "./colyseus.ts";
import type { Config } from "./config.ts";
import { RoomGateway } from "./gateway.ts";
import { makeApp } from "./http/app.ts";
import { type Keyring, openKeyring } from "./keys/keyring.ts";
import { type Limits, noLimits, openLimits } from "./limits.ts";
import { logMatches } from "./ops/matchLog.ts";
import { openMetrics } from "./ops/metrics.ts";
import { type OpsPorts, type OpsServer, startOps } from "./ops/server.ts";
import { FOREIGN_PAGE, mayCall } from "./origin.ts";
import { answerRaw, boundConnections, makePublicServer } from "./publicServer.ts";
import type { Ledger } from "./ranking/ledger.ts";
import { type Logs, openReporter } from "./reporter.ts";
import { ofDoor } from "./service/doors.ts";
import { localService } from "./service/local.ts";
import { routedService } from "./service/routed.ts";
import type { SharedLimiters } from "./sharedLimits.ts";
import { mayShow, startShowcase } from "./showcase.ts";
import { socketIoDoor } from "./socketio/door.ts";
import { codeOf } from "./store/disk.ts";
import type { MatchStore } from "./store/MatchStore.ts";
import { makeTokens } from "./tokens.ts";

export interface ServerPorts {
  readonly store: MatchStore;
  /** The keys of tokens and records; left out: those in the data folder. Whoever opens it stops it. */
  readonly keyring?: Keyring;
  /** Certificates and leaderboard; the store's seal fills it (`rankedSeal`). */
  readonly ledger: Ledger;
  /** Accounts and sessions over all processes; left out: a file of this one. Whoever opens it closes it. */
  readonly small?: SmallStore;
  /** Room codes over all processes that share the store; left out: this one has it to itself. */
  readonly codes?: CodeKeeper;
  /** Called once, when the address is known; the house's bots connect there like anybody. */
  bots(url: string): BotSupervisor;
  /** Limits counted together with the other processes; left out: this one counts alone. */
  readonly sharedLimits?: SharedLimiters;
  /** Left out: the real clock, and logs on standard output. */
  readonly clock?: Clock;
  readonly logs?: Logs;
}

export interface RunningApp {
  readonly port: number;
  /** Where this machine reaches it. */
  readonly url: string;
  /** Where this machine finds health and metrics; null when that port was not to be had. */
  readonly opsPort: number | null;
  readonly gateway: RoomGateway;
  /**
   * Takes no new rooms, notes the clocks, tells the clients to come back, closes. Resolves within `CLOSE_WITHIN_MS`
   * whatever the storage does. The store is the caller's to close, after this.
   */
  close(): Promise<void>;
}

export const CLOSE_WITHIN_MS = 8_000;
/**
 * A connection that is kept open for the next call. Longer than load balancers keep theirs, who would send a call into
 * one that is just being closed; and a process that stood still for seconds reads what came meanwhile.
 */
const KEEP_ALIVE_MS = 75_000;

/** Listens, takes up what the process before left, and only then answers calls. Rejects when the port is not free. */
export async function startServer(config: Config, ports: ServerPorts): Promise<RunningApp> {
  const clock = ports.clock ?? systemClock;
  const logs = ports.logs ?? openReporter(config.LOG_LEVEL);
  const keyring = ports.keyring ?? openKeyring(config.DATA_DIR, { clock, report: logs });
  const tokens = makeTokens(keyring.tokenKeys, clock.wallMs);
  const codes = ports.codes ?? new RoomCodes(clock.wallMs);
  const metrics = openMetrics();
  const limits = metrics.counted(config.RATE_LIMITS ? openLimits(ports.sharedLimits) : noLimits);

  // Carries Colyseus' sockets and never listens: the public server hands it its upgrades.
  const sockets = createServer();
  const flood = { perSecond: config.SOCKET_MESSAGES_PER_SECOND, kickPerSecond: config.SOCKET_KICK_PER_SECOND };
  const colyseus = await bootColyseus({ sockets, clock, logs, flood, timed: metrics.command });

  const web = makePublicServer();
  const offTheCount = boundConnections(web, { limits, proxies: config.TRUST_PROXY });
  web.keepAliveTimeout = KEEP_ALIVE_MS;
  await listen(web, config.PORT, config.HOST);
  const { port } = web.address() as AddressInfo;
  const url = `http://${loopbackOf(config.HOST)}:${port}`;

  const bots = ports.bots(url);
  const gateway = new RoomGateway(
    { log: metrics.timed(ports.store), clock, tokens, bots, report: logs, codes, limits },
    {
      maxRooms: config.MAX_ROOMS,
      turnSeconds: config.TURN_SECONDS,
      showcasePaceMs: config.SHOWCASE_PACE_MS,
      botPaceMs: config.BOT_PACE_MS,
    },
  );
  const unwatch = metrics.watch(gateway);
  logMatches(gateway, logs);
  const { claims } = ports.store;
  const seen = (req: IncomingMessage) => addressOf(req, config.TRUST_PROXY);
  const peers = ports.codes
    ? new Peers({ claims, keys: keyring.tokenKeys, clock, report: logs, addressOf: seen })
    : null;
  const caller = (req: IncomingMessage) => peers?.callerBehind(req) ?? seen(req);
  let phase: "starting" | "ready" | "closing" = "starting";
  const small = ports.small ?? (await openSmallFile(join(config.DATA_DIR, SMALL_FILE), clock.wallMs));
  const sessions = makeSessions(small, clock.wallMs);
  const service = localService({ gateway, tokens, limits, sessions, store: ports.store, timed: metrics.command });
  const everywhere = routedService(service, gateway, peers);
  const agents = socketIoDoor({
    service: ofDoor(everywhere, "socketio"),
    tokens,
    limits,
    clock,
    report: logs,
    flood,
    origins: config.CORS_ORIGINS,
    addressOf: caller,
  });
  const app = makeApp({
    gateway,
    service,
    everywhere,
    tokens,
    limits,
    config,
    report: logs,
    colyseus,
    bots,
    store: ports.store,
    keys: () => keyring.signer().keyList,
    accounts: makeAccounts(small, clock.wallMs),
    sessions,
    ledger: ports.ledger,
    now: clock.wallMs,
    addressOf: caller,
    peers,
    counted: metrics.http,
    ready: () => phase === "ready",
  });
  // Colyseus and Socket.IO would both take whatever comes to a server: each is given only what is its own.
  web.on("request", (req, res) => {
    if (peers !== null && peers.callerBehind(req) !== null) offTheCount(req.socket);
    if (agents.owns(req) && phase === "ready" && mayCall(req, config)) agents.request(req, res);
    else app(req, res);
  });
  const toRooms = upgrader(sockets, limits, caller, (req, socket, head) =>
    peers === null ? Promise.resolve(false) : handOnSocket(gateway, peers, req, socket, head),
  );
  web.on("upgrade", (req, socket, head) => {
    if (peers !== null && peers.callerBehind(req) !== null) offTheCount(socket as Socket);
    if (!mayCall(req, config)) answerRaw(socket, FOREIGN_PAGE);
    else if (agents.owns(req) && phase === "ready") agents.upgrade(req, socket, head);
    else toRooms(req, socket as Socket, head);
  });

  let recovered = false;
  const ops = await openOps(config, port, logs, {
    metrics,
    gateway,
    report: logs,
    dataDir: config.DATA_DIR,
    notReady: () => (phase === "ready" ? (recovered ? null : "taking up matches") : phase),
  });
  /** Takes matches up by `work`, and tells how many and how long. */
  const taking = async (work: () => Promise<number>) => {
    const fromMs = clock.monotonicMs();
    const matches = await work();
    recovered = true;
    if (matches === 0) return;
    metrics.recovered(matches, (clock.monotonicMs() - fromMs) / 1_000);
    logs.info("recovered", { matches });
  };
  let cancelAdopting = () => {};
  /** Takes up what other processes have left, now and again and again. */
  const adopt = async () => {
    await taking(() => gateway.adoptOrphans()).catch((error: unknown) => logs.error(error, { at: "adopt" }));
    if (phase === "ready") cancelAdopting = clock.after((config.LEASE_SECONDS * 1_000) / 5, () => void adopt());
  };
  try {
    // Bots connect while the rooms come back, so calls are taken from here on.
    phase = "ready";
    if (peers === null) {
      await taking(async () => gateway.recover(await ports.store.unfinished()));
    } else {
      await claims.announce(config.PEER_ADDRESS ?? `http://${outsideOf(config.HOST)}:${port}`);
      await peers.start();
      await adopt();
    }
  } catch (error) {
    ops?.close();
    web.close();
    web.closeAllConnections();
    throw error;
  }
  const stopShowcase = config.SHOWCASE
    ? startShowcase({
        gateway,
        clock,
        report: logs,
        turnSeconds: config.TURN_SECONDS,
        knowsBrain: (b) => bots.knows(b),
        ...(peers === null ? {} : { mayOpen: () => mayShow(claims, peers) }),
      })
    : () => {};

  let closing: Promise<void> | null = null;
  const close = async () => {
    phase = "closing";
    stopShowcase();
    cancelAdopting();
    web.close();
    await within(CLOSE_WITHIN_MS / 8, agents.close());
    await within(CLOSE_WITHIN_MS / 2, gateway.suspend());
    await within(CLOSE_WITHIN_MS / 4, colyseus.shutdown());
    for (const holder of gateway.holders()) bots.release(holder.id);
    peers?.stop();
    web.closeAllConnections();
    sockets.emit("close");
    unwatch();
    if (ports.keyring === undefined) keyring.stop();
    ops?.close();
  };
  return {
    port,
    url,
    opsPort: ops?.port ?? null,
    gateway,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** The port beside the public one is a default, and may be somebody else's; one that was asked for must be free. */
async function openOps(config: Config, port: number, logs: Logs, ports: OpsPorts): Promise<OpsServer | null> {
  try {
    return await startOps(config.OPS_HOST, config.OPS_PORT ?? (config.PORT === 0 ? 0 : port + 1), ports);
  } catch (error) {
    if (config.OPS_PORT !== undefined) throw error;
    logs.error(error, { at: codeOf(error) === "EADDRINUSE" ? "ops: set OPS_PORT to a free port" : "ops" });
    return null;
  }
}

/** Hands a socket to Colyseus when its address is that of a room here; everything else ends here. */
function upgrader(
  sockets: Server,
  limits: Limits,
  address: (req: IncomingMessage) => string,
  handOn: (req: IncomingMessage, socket: Socket, head: Buffer) => Promise<boolean>,
) {
  return (req: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    if (!isRoomSocket(req)) return answerRaw(socket, refuse("not_found", "There is no room at this address."));
    const close = limits.open("socket", address(req));
    if (close === null) return answerRaw(socket, refuse("rate_limited", "Too many sockets are open.", 10));
    socket.once("close", close);
    void handOn(req, socket, head).then((gone) => gone || sockets.emit("upgrade", req, socket, head));
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, rejected) => {
    server.once("error", rejected);
    server.listen(port, host, () => {
      server.off("error", rejected);
      resolve();
    });
  });
}

function outsideOf(host: string): string {
  return host === "0.0.0.0" || host === "::" ? (outsideAddress() ?? "127.0.0.1") : loopbackOf(host);
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
