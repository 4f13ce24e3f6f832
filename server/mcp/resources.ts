/** What the MCP door gives to read (PROTOCOL 8): the rules, the system prompt of each seat, records of matches. */
import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { PlayerId } from "../../shared/engine/index.ts";
import { build, PROMPT_MODES, type PromptMode, readerOf, rules } from "../../shared/prompts/index.ts";
import { type Refusal, refuse } from "../../shared/protocol/codes.ts";
import { playerSchema } from "../../shared/protocol/requests.ts";
import type { MatchService } from "../service/MatchService.ts";
import type { McpCaller } from "./tools.ts";

const MARKDOWN = "text/markdown";

export function addResources(
  server: McpServer,
  service: Pick<MatchService, "record">,
  { token, address }: McpCaller,
): void {
  server.registerResource(
    "rules",
    "gearmice://rules",
    { title: "The rules", description: "Everything one needs to know to play.", mimeType: MARKDOWN },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: MARKDOWN, text: rules() }] }),
  );
  server.registerResource(
    "prompt",
    new ResourceTemplate("gearmice://prompts/{mode}/{player}", { list: undefined }),
    {
      title: "The system prompt of a seat",
      description: `mode: ${PROMPT_MODES.join(", ")}; player: P1 to P4. In arena everybody plays alone.`,
      mimeType: MARKDOWN,
    },
    (uri, { mode, player }) => {
      const text = promptOf(String(mode), String(player));
      return { contents: [{ uri: uri.href, mimeType: MARKDOWN, text }] };
    },
  );
  server.registerPrompt(
    "play",
    {
      title: "Play a seat",
      description: "The system prompt of one seat.",
      argsSchema: z.object({ mode: z.enum(PROMPT_MODES), player: playerSchema, ally: playerSchema.optional() }),
    },
    ({ mode, player, ally }) => ({
      messages: [{ role: "user", content: { type: "text", text: promptOf(mode, player, ally) } }],
    }),
  );
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

function promptOf(mode: string, player: string, ally?: PlayerId): string {
  const read = readerOf(mode, player, ally);
  if (!read.ok) throw refused(refuse(read.code, read.message));
  return build(mode as PromptMode, player as PlayerId, ally);
}

/** A refusal where the protocol knows errors alone: our code stands in front of the message, and in the data. */
function refused(refusal: Refusal): ProtocolError {
  const { ok: _, ...data } = refusal;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `${refusal.code}: ${refusal.message}`, data);
}
