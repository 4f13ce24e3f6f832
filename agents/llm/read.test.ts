import { describe, expect, test } from "vitest";
import { readAnswer } from "./read.ts";

const C = "G4@P21(b=0)+90";
const bare = `{"command":"${C}","reasoning":"why"}`;

describe("an answer is read tolerantly", () => {
  test.each([
    ["as asked", bare],
    ["with blanks and lines", `\n  { "command" : "${C}",\n "reasoning": "why" }\n`],
    ["in a code fence", `\`\`\`json\n${bare}\n\`\`\``],
    ["in a code fence without a language, with text around", `Sure!\n\`\`\`\n${bare}\n\`\`\`\nGood luck.`],
    ["with text around it", `My answer is ${bare}. I hope it helps {really}.`],
    ["behind thinking", `<think>Maybe {"command":"G1@P11(b=0)+90"}? No.</think>${bare}`],
    ["behind thinking in other words", `<THINKING>a { b</THINKING>\n<reasoning>c</reasoning>${bare}`],
    ["behind thinking whose beginning is missing", `{"command":"G1@P11+90"} no, wait</think>\n${bare}`],
    ["before thinking without an end", `${bare}<think>was that right? {"command":"x"}`],
    ["the last of several", `{"command":"G1@P11(b=0)+90"} or better ${bare}`],
    ["with trailing commas", `{"command":"${C}","reasoning":"why",}`],
    ["with trailing commas inside", `{"command":"${C}","seen":["a","b",],"reasoning":"why", }`],
    ["with other fields", `{"thoughts":{"a":{"b":[1]}},"command":"${C}","reasoning":"why","confidence":0.5}`],
    ["with fields in capitals", `{"Command":"${C}","Reasoning":"why"}`],
    ["cut short behind its command", `{"reasoning":"why","command":"${C}","plan":"then I wou`],
  ])("%s", (_name, text) => {
    expect(readAnswer(text)).toEqual({ command: C, reasoning: "why" });
  });
  test("cut short in its reasoning: the command counts", () => {
    expect(readAnswer(`{"command":"${C}","reasoning":"becau`)).toEqual({ command: C, reasoning: "" });
  });
  test("braces and quotes in a string are text", () => {
    const reasoning = 'a } b { "c" , ] \\ ,}';
    expect(readAnswer(JSON.stringify({ command: C, reasoning }))).toEqual({ command: C, reasoning });
  });
  test.each([
    ["nothing", ""],
    ["words", "I would turn P21."],
    ["the command alone", C],
    ["an object without a command", '{"move":"G1@P11+90"}'],
    ["a command that is no text", '{"command":5}'],
    ["a list", `["${C}"]`],
    ["cut short in its command", '{"command":"G4@P2'],
    ["only thinking", `<think>${bare}</think>`],
    ["only thinking, cut short", `<think>${bare}`],
  ])("none: %s", (_name, text) => {
    expect(readAnswer(text)).toBeNull();
  });
});

test.each([
  ["lower case", "g4@p21(b=0)+90"],
  ["blanks around", ` ${C} `],
  ["a full stop", `${C}.`],
  ["empty", ""],
])("the command in it is taken as it stands: %s", (_name, command) => {
  expect(readAnswer(JSON.stringify({ command, reasoning: "" }))?.command).toBe(command);
});

test("an answer of a megabyte of braces or tags is read in no time", () => {
  for (const piece of ["{", "<think>", '{"', "},", '{"command":']) {
    expect(readAnswer(piece.repeat(1_000_000 / piece.length))).toBeNull();
  }
});
