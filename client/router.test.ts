import { describe, expect, test } from "vitest";
import { parseRoute } from "./router.ts";

describe("addresses", () => {
  test.each([
    ["/", "", { page: "lobby" }],
    ["/room/IXENT-ABC234", "", { page: "room", code: "IXENT-ABC234", watch: false }],
    ["/room/abc234", "?watch=1", { page: "room", code: "IXENT-ABC234", watch: true }],
    ["/room/IXENT-ABC23O", "", { page: "lost", path: "/room/IXENT-ABC23O" }],
    ["/room/%E0%A4%A", "", { page: "lost", path: "/room/%E0%A4%A" }],
    ["/match/01a22eae-c034-7576-bb9e-01595f812599", "", { page: "match", id: "01a22eae-c034-7576-bb9e-01595f812599" }],
    ["/agents", "", { page: "agents" }],
    ["/agents/", "", { page: "agents" }],
    ["/agents/x", "", { page: "lost", path: "/agents/x" }],
    ["/nowhere", "", { page: "lost", path: "/nowhere" }],
  ])("%s%s", (path, query, route) => {
    expect(parseRoute(path, query)).toEqual(route);
  });
});
