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
