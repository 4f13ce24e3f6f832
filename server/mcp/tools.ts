/**
 * The tools of the MCP door (PROTOCOL 8). Each is one call of the service; what it answers is told as structured
 * content and, for clients that read text alone, as the same JSON. A refusal is an answer too, with its code.
 */
import { type CallToolResult, McpServer, type StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";
import { FORMATS } from "../../shared/engine/index.ts";
import { type Answer, type Refusal, refuse } from "../../shared/protocol/codes.ts";
import {
  createRoomSchema,
  joinRoomSchema,
  moveSchema,
  nameSchema,
  seatSpecSchema,
} from "../../shared/protocol/requests.ts";
import type { Caller, MatchService } from "../service/MatchService.ts";
import { LIST_STATUSES } from "../summary.ts";

export interface McpPorts {
  readonly service: MatchService;
  /** A new guest of this name; null when this address has had too many. */
  guest(name: string, address: string): Promise<Answer<{ readonly token: string }>>;
}

/** Who calls: what came with the HTTP request, if anything did. */
export interface McpCaller {
  readonly token: string | null;
  readonly address: string;
}

const NAME = "Model";

const playerToken = z
  .string()
  .max(4_096)
  .optional()
  .describe("The player_token of an earlier answer; not needed where the connection has a bearer token.");
const matchId = z.string().max(64).describe("The match_id that create_room or join_room answered.");
const code = z.string().max(64).describe("A room code, IXENT-XXXXXX.");
const about = { match_id: matchId, player_token: playerToken };

const listInput = z.object({ status: z.enum(LIST_STATUSES).optional() });
const createInput = z.object({
  preset: z
    .string()
    .max(64)
    .optional()
    .describe("A ready-made room such as `duel` or `david-goliath`; or format and level."),
  format: z.enum(FORMATS).optional(),
  level: z.number().int().positive().optional(),
  seats: z
    .array(seatSpecSchema)
    .max(4)
    .optional()
    .describe('Who may sit where, P1 first: {"kind":"any"} is open, {"kind":"ai","brain":"greedy"} is a house bot.'),
  private: z.boolean().optional(),
  turn_seconds: z.number().int().optional(),
  name: nameSchema.optional().describe("What others are shown as your name."),
  player_token: playerToken,
});
const joinInput = joinRoomSchema.extend({ code, player_token: playerToken });
const matchInput = z.object(about);
const moveInput = moveSchema.extend({
  ...about,
  command: z
    .string()
    .max(1_000)
    .describe("`G4@P21(b=0)+90` places and turns, `G@P21-90` turns, `G@P11:b=2 ; G@P21+90` sets one gear first."),
});

/** One caller's server; `caller` is asked at every call. */
export function mcpServer({ service, guest }: McpPorts, caller: McpCaller, version: string): McpServer {
  const server = new McpServer({ name: "gearmice", title: "Gearmice", version }, { instructions: INSTRUCTIONS });

  const as = (token: string | undefined, roomCode: string | null = null): Caller => ({
    token: caller.token ?? token ?? null,
    code: roomCode,
    address: caller.address,
  });
  /** A caller without a token gets one, which the answer names. */
  const known = async (token: string | undefined, name: string): Promise<Answer<{ caller: Caller; made: object }>> => {
    const by = as(token);
    if (by.token !== null) return { ok: true, caller: by, made: {} };
    const made = await guest(name, caller.address);
    if (!made.ok) return made;
    return { ok: true, caller: { ...by, token: made.token }, made: { player_token: made.token } };
  };

  const tool = <S extends z.ZodType>(
    name: string,
    description: string,
    schema: S,
    readOnly: boolean,
    work: (input: z.output<S>, gone: AbortSignal) => Promise<Answer<object>>,
  ) =>
    server.registerTool(
      name,
      {
        description,
        inputSchema: unread(schema),
        annotations: { readOnlyHint: readOnly, destructiveHint: name === "resign", openWorldHint: false },
      },
      async (given, ctx) => {
        const read = schema.safeParse(given ?? {});
        return told(read.success ? await work(read.data, ctx.mcpReq.signal) : misread(read.error));
      },
    );

  tool("list_rooms", "Public rooms: waiting for players, playing, or over.", listInput, true, async ({ status }) => ({
    ok: true,
    ...(await service.rooms(status)),
  }));
  tool(
    "create_room",
    "Create a room and take its first seat. Answers code (for others to join), match_id, seat and state.",
    createInput,
    false,
    async ({ player_token, name = NAME, ...options }) => {
      const request = createRoomSchema.safeParse({ ...options, name });
      if (!request.success) return misread(request.error);
      const who = await known(player_token, name);
      return who.ok ? seated(await service.create(who.caller, request.data), who.made) : who;
    },
  );
  tool(
    "join_room",
    "Take a free seat in a room by its code. Answers match_id, seat and state.",
    joinInput,
    false,
    async ({ player_token, code: room, name = NAME, ...request }) => {
      const who = await known(player_token, name);
      return who.ok ? seated(await service.join(who.caller, room, { ...request, name }), who.made) : who;
    },
  );
  tool("get_state", "The whole state of a match as you may see it.", matchInput, true, ({ match_id, player_token }) =>
    service.state(as(player_token), match_id),
  );
  tool("legal_moves", "Every command that you may play now.", matchInput, true, ({ match_id, player_token }) =>
    service.legal(as(player_token), match_id),
  );
  tool(
    "play_move",
    "Play a command, then wait for your next turn or the end of the match; after 50 s answers with waiting: true.",
    moveInput,
    false,
    ({ match_id, player_token, ...move }, gone) => service.move(as(player_token), match_id, move, gone),
  );
  tool(
    "wait_turn",
    "Wait until it is your turn or the match is over; after 50 s answers with waiting: true, then call again.",
    matchInput,
    true,
    ({ match_id, player_token }, gone) => service.state(as(player_token), match_id, gone),
  );
  tool("resign", "Give the match up.", matchInput, false, ({ match_id, player_token }) =>
    service.resign(as(player_token), match_id),
  );
  return server;
}

const INSTRUCTIONS = [
  "Play the gears-and-mice puzzle: read the resource gearmice://rules, then create_room or join_room.",
  "While state.status.game_over is false: wait_turn, think, legal_moves if the room has a list, play_move.",
  "A refusal has a code and says what would be legal. In a 1v1 your opponent is at the other edge.",
].join(" ");

/** The seat's own token is not for a model to carry: the identity opens the same seat. */
function seated(answer: Answer<object>, made: object): Answer<object> {
  if (!answer.ok) return answer;
  const { seat_token: _, ...rest } = answer as Answer<object> & { ok: true; seat_token?: unknown };
  return { ...rest, ...made };
}

/** Advertises the schema and leaves the reading to the tool: a wrong argument too is answered with a code. */
function unread<S extends z.ZodType>(schema: S): StandardSchemaWithJSON<unknown, unknown> {
  const standard = (schema as unknown as StandardSchemaWithJSON<unknown, unknown>)["~standard"];
  return { "~standard": { ...standard, validate: (value: unknown) => ({ value }) } };
}

function misread({ issues: [issue] }: z.ZodError): Refusal {
  const where = issue?.path.join(".") || "arguments";
  return refuse("bad_request", `${where}: ${issue?.message ?? "cannot be read"}`.slice(0, 300));
}

function told(answer: Answer<object>): CallToolResult {
  const structuredContent = { ...answer } as Record<string, unknown>;
  return {
    content: [{ type: "text", text: JSON.stringify(structuredContent) }],
    structuredContent,
    ...(answer.ok ? {} : { isError: true }),
  };
}
