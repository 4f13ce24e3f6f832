import { expect, test } from "vitest";
import { historyLines } from "./history.tsx";

test.each([
  ["Turn 1 [P1]: G4@P21(b=0)-90", { turn: 1, player: "P1", text: "G4@P21(b=0)-90", kind: "move" }],
  ["Turn 3 [P1]: [ERROR] Turn 9 [P2]: x", { turn: 3, player: "P1", text: "[ERROR] Turn 9 [P2]: x", kind: "lost" }],
  ["Turn 4 [P2]: [TIMEOUT]", { turn: 4, player: "P2", text: "[TIMEOUT]", kind: "out" }],
  [
    "[EVENT] ⚠️ TOTAL ENTROPY: P32->P12(b=0)",
    { turn: null, player: null, text: "⚠️ TOTAL ENTROPY: P32->P12(b=0)", kind: "event" },
  ],
  [
    "Turn 5 [EVENT] 🔮 ORB ANOMALY INJECTED AT G4_Base_180 (P21)",
    { turn: 5, player: null, text: "🔮 ORB ANOMALY INJECTED AT G4_Base_180 (P21)", kind: "event" },
  ],
])("%s (R13.2)", (line, read) => {
  expect(historyLines([line])[0]).toMatchObject(read);
});
