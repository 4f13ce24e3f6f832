/**
 * `gearmice mcp`: the server's MCP door on standard input and output, for clients that start their servers themselves.
 * Whatever comes in is asked of the door at `/mcp` in the player's name, so that the model carries no token.
 */
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { refuse } from "../shared/protocol/codes.ts";
import { type ServerOptions, serverOptions } from "./player/options.ts";

/** Such clients start it in a folder of theirs; there, this package is found by its own. */
const ARGS = ["--prefix", fileURLToPath(new URL("..", import.meta.url)), "gearmice", "mcp"];
const SETTINGS = JSON.stringify({ mcpServers: { gearmice: { command: "npx", args: ARGS } } });

export function mcpCommand(): Command {
  return serverOptions(new Command("mcp").description("the MCP door on standard input and output"))
    .addHelpText(
      "after",
      `
Examples:
  $ gearmice mcp --server https://play.example.org
In a client's settings:
  ${SETTINGS}`,
    )
    .action(mcp);
}

async function mcp(options: ServerOptions): Promise<void> {
  const [
    { Client, ProtocolError, SdkHttpError, StreamableHTTPClientTransport },
    { Server },
    { serveStdio },
    { openFolder },
    { openPlayer },
  ] = await Promise.all([
    import("@modelcontextprotocol/client"),
    import("@modelcontextprotocol/server"),
    import("@modelcontextprotocol/server/stdio"),
    import("./player/folder.ts"),
    import("./player/session.ts"),
  ]);
  const { folder, identity } = await openPlayer(await openFolder(process.env, options.server), options.name);
  const door = new Client({ name: "gearmice-mcp", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const headers = { authorization: `Bearer ${identity.token}` };
  await door.connect(new StreamableHTTPClientTransport(new URL(`${folder.server}/mcp`), { requestInit: { headers } }));
  const instructions = door.getInstructions();
  serveStdio(() => {
    const server = new Server(
      { name: "gearmice", title: "Gearmice", version: "1" },
      { capabilities: { tools: {}, resources: {}, prompts: {} }, ...(instructions ? { instructions } : {}) },
    );
    server.setRequestHandler("tools/list", ({ params }) => door.listTools(params));
    server.setRequestHandler("tools/call", ({ params }, { mcpReq }) =>
      door.callTool(params, { signal: mcpReq.signal }).catch((error: unknown) => {
        const isAnswer = error instanceof ProtocolError || (error instanceof SdkHttpError && error.status !== 503);
        if (isAnswer || mcpReq.signal.aborted) throw error;
        // A server that is being started again: in the words of all doors, so that a model comes again.
        const { ok, code, message, retry_after_s } = refuse("unavailable", `${folder.server} cannot be reached.`, 2);
        const structuredContent = { ok, code, message, retry_after_s };
        return {
          isError: true,
          structuredContent,
          content: [{ type: "text" as const, text: JSON.stringify(structuredContent) }],
        };
      }),
    );
    server.setRequestHandler("resources/list", ({ params }) => door.listResources(params));
    server.setRequestHandler("resources/templates/list", ({ params }) => door.listResourceTemplates(params));
    server.setRequestHandler("resources/read", ({ params }) => door.readResource(params));
    server.setRequestHandler("prompts/list", ({ params }) => door.listPrompts(params));
    server.setRequestHandler("prompts/get", ({ params }) => door.getPrompt(params));
    return server;
  });
}
