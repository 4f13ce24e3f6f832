/** `gearmice login` and `gearmice status`: who one is at a server. */
import { Command } from "commander";
import { type ServerOptions, serverOptions } from "./player/options.ts";

export function loginCommand(): Command {
  const command = new Command("login")
    .description("be the identity of a personal access code, or a new guest")
    .option("--code <code>", "the access code that your other device or the page gave");
  return serverOptions(command)
    .addHelpText(
      "after",
      `
The identity is kept in the player's folder, for each server one. Without --code a new guest is made.

Examples:
  $ gearmice login --code GM-ABCDE-FGHJK-MNPQR-STUVW
  $ gearmice login --name Ada --server https://play.example.org`,
    )
    .action(login);
}

async function login({ code, server, name, json }: ServerOptions & { readonly code?: string }): Promise<void> {
  const [{ openFolder }, { openApi }, { granted, newGuest }] = await Promise.all([
    import("./player/folder.ts"),
    import("../agents/drivers/api.ts"),
    import("./player/session.ts"),
  ]);
  const folder = await openFolder(process.env, server);
  const api = openApi(folder.server);
  const identity =
    code === undefined
      ? await newGuest(api, name ?? folder.env.GEARMICE_NAME ?? "Guest")
      : granted(
          await api.call<{ token: string; id: string; name: string }>("/access-codes/exchange", { body: { code } }),
        );
  await folder.keepIdentity(folder.server, { token: identity.token, id: identity.id, name: identity.name });
  const { id, name: known } = identity;
  process.stdout.write(
    json ? `${JSON.stringify({ server: folder.server, id, name: known })}\n` : `${folder.server}: you are ${known}\n`,
  );
}

export function statusCommand(): Command {
  const command = new Command("status").description("the server, who you are there, and where you sit");
  return serverOptions(command)
    .addHelpText("after", "\nExamples:\n  $ gearmice status\n  $ gearmice status --json")
    .action(status);
}

async function status({ server, json }: ServerOptions): Promise<void> {
  const [{ openFolder }, { openApi }, { granted }] = await Promise.all([
    import("./player/folder.ts"),
    import("../agents/drivers/api.ts"),
    import("./player/session.ts"),
  ]);
  const folder = await openFolder(process.env, server);
  const api = openApi(folder.server);
  granted(await api.call("/presets"));
  const identity = await folder.identity(folder.server);
  type Row = { code: string; seat: string; format: string; phase: string; match_id: string };
  const seats =
    identity === null ? [] : granted(await api.call<{ seats: Row[] }>("/seats", { token: identity.token })).seats;
  const about = { server: folder.server, folder: folder.path, name: identity?.name ?? null, seats };
  if (json) return void process.stdout.write(`${JSON.stringify(about)}\n`);
  const lines = [
    `server  ${about.server}`,
    `folder  ${about.folder}`,
    `you     ${about.name ?? "nobody yet; gearmice login"}`,
    ...seats.map(({ code, seat, format, phase }) => `seat    ${code}  ${seat}  ${format}  ${phase}`),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}
