import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

test("every setting has a default that needs nothing", () => {
  expect(readConfig({})).toMatchObject({ PORT: 2567, DATA_DIR: "./data", SHOWCASE: true, TURN_SECONDS: 600 });
});
test("an empty setting is none", () => {
  expect(readConfig({ PORT: "", SHOWCASE: "" })).toMatchObject({ PORT: 2567, SHOWCASE: true });
});
test("what is set is read", () => {
  const env = { PORT: "0", SHOWCASE: "off", TURN_SECONDS: "30", CORS_ORIGINS: "https://a.example, http://b.example" };
  expect(readConfig(env)).toMatchObject({
    PORT: 0,
    SHOWCASE: false,
    TURN_SECONDS: 30,
    CORS_ORIGINS: ["https://a.example", "http://b.example"],
  });
});
describe("MODELS", () => {
  const small = { provider: "openai-compatible", base_url: "http://127.0.0.1:11434/v1", model: "qwen3:8b" };
  test("as JSON, as a file, or not at all", async () => {
    const file = join(await mkdtemp(join(tmpdir(), "gearmice-config-")), "models.json");
    await writeFile(file, JSON.stringify({ small }));
    const read = { small: { ...small, stream: true } };
    expect(readConfig({}).MODELS).toEqual({});
    expect(readConfig({ MODELS: JSON.stringify({ small }) }).MODELS).toEqual(read);
    expect(readConfig({ MODELS: file }).MODELS).toEqual(read);
    await rm(dirname(file), { recursive: true });
  });
  test("as docs/models.md shows it", async () => {
    const shown = /```json\n(.*?)```/s.exec(await readFile(new URL("../docs/models.md", import.meta.url), "utf8"))?.[1];
    expect(Object.keys(readConfig({ MODELS: shown }).MODELS)).toEqual(["local", "big"]);
  });
  test.each([
    ["no JSON", "{small"],
    ["no such file", "/nowhere/models.json"],
    ["an unknown provider", JSON.stringify({ small: { ...small, provider: "abacus" } })],
    ["no address", JSON.stringify({ small: { ...small, base_url: undefined } })],
    ["an address of a file", JSON.stringify({ small: { ...small, base_url: "file:///etc/passwd" } })],
    [
      "a password in the address, which is not told",
      JSON.stringify({ small: { ...small, base_url: "http://u:sk-secret@a.example" } }),
    ],
    ["a name that is none", JSON.stringify({ "a b": small })],
    ["a key written into it, which is not told", JSON.stringify({ small: { ...small, api_key: "sk-secret" } })],
  ])("%s", (_name, MODELS) => {
    const read = () => readConfig({ MODELS });
    expect(read).toThrow(/^MODELS: [^\n]*$/);
    expect(read).not.toThrow(/sk-secret/);
  });
});
describe("a bad value is one line that names the setting", () => {
  test.each([
    ["PORT", "abc"],
    ["PORT", "70000"],
    ["PORT", "25.5"],
    ["SHOWCASE", "yes"],
    ["TURN_SECONDS", "4"],
    ["TURN_SECONDS", "86401"],
    ["TRUST_PROXY", "-1"],
    ["CORS_ORIGINS", "example"],
    ["LOG_LEVEL", "loud\nline"],
  ])("%s=%j", (key, value) => {
    const read = () => readConfig({ [key]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^${key}=[^\\n]*$`));
  });
});
