/** What the MCP door gives to read (PROTOCOL 8): records of matches. */
import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate } from "@modelcontextprotocol/server";
import type { Refusal } from "../../shared/protocol/codes.ts";
import type { MatchService } from "../service/MatchService.ts";
import type { McpCaller } from "./tools.ts";

export function addResources(
  server: McpServer,
  service: Pick<MatchService, "record">,
  { token, address }: McpCaller,
): void {
  server.registerResource(
    "record",
    new ResourceTemplate("gearmice://records/{match_id}", { list: undefined }),
    {
      title: "The record of a match",
      description: "Every event, one JSON object a line; signed when the match is over.",
      mimeType: "application/x-ndjson",
    },
    async (uri, { match_id }) => {
      const answer = await service.record({ token, code: null, address }, String(match_id));
      if (!answer.ok) throw refused(answer);
      return { contents: [{ uri: uri.href, mimeType: "application/x-ndjson", text: answer.record }] };
    },
  );
}

/** A refusal where the protocol knows errors alone: our code stands in front of the message, and in the data. */
function refused(refusal: Refusal): ProtocolError {
  const { ok: _, ...data } = refusal;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `${refusal.code}: ${refusal.message}`, data);
}
