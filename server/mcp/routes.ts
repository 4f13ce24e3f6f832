/**
 * The MCP door (PROTOCOL 8): Streamable HTTP at `/mcp`. The protocol of 2026 knows no sessions, so every call says who
 * makes it: by a bearer token, or by the `player_token` that an earlier answer gave.
 */
import { toNodeHandler } from "@modelcontextprotocol/node";
import { type AuthInfo, createMcpHandler } from "@modelcontextprotocol/server";
import { type Request, Router } from "express";
import { v7 as uuidV7 } from "uuid";
import type { Reporter } from "../../rooms/ports.ts";
import { RefusalError, refuse } from "../../shared/protocol/codes.ts";
import type { IdentityId } from "../../shared/protocol/ids.ts";
import { type HttpPorts, tokenOf } from "../http/common.ts";
import { addResources } from "./resources.ts";
import { type McpCaller, mcpServer } from "./tools.ts";

export const MCP_PATH = "/mcp";
const VERSION = "1";

export function mcpRouter({ everywhere: service, tokens, limits, addressOf }: HttpPorts, report: Reporter): Router {
  const ports = {
    service,
    async guest(name: string, address: string) {
      const tooMany = await limits.take("identity", address);
      if (tooMany) return tooMany;
      return { ok: true as const, token: tokens.issueIdentity({ id: uuidV7() as IdentityId, name }) };
    },
  };
  const onerror = (error: Error) => report.error(error, { at: "mcp" });
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const caller = authInfo?.extra as unknown as McpCaller;
      const server = mcpServer(ports, caller, VERSION);
      addResources(server, service, caller);
      return server;
    },
    { onerror },
  );
  const serve = toNodeHandler(handler, { onerror });
  const callerOf = (req: Request): McpCaller => {
    const token = tokenOf(req);
    if (token !== null && tokens.verifyIdentity(token) === null && tokens.verify(token) === null) {
      throw new RefusalError(refuse("unauthorized", "This token is none of ours; leave it out or get one."));
    }
    return { token, address: addressOf(req) };
  };

  const router = Router();
  router.all(MCP_PATH, async (req, res) => {
    const caller = callerOf(req);
    const auth: AuthInfo = { token: caller.token ?? "", clientId: caller.address, scopes: [], extra: { ...caller } };
    await serve(Object.assign(req, { auth }), res, req.method === "POST" ? req.body : undefined);
  });
  return router;
}
