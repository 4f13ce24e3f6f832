import { defineConfig } from "vitest/config";

const setupFiles = ["test/support/setup.ts"];

export default defineConfig({
  test: {
    // Most files wait for processes and sockets: two at once also where there are two cores.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "unit",
          include: ["{shared,rooms,server,agents,client,cli,bench}/**/*.test.ts", "test/unit/**/*.test.ts"],
          setupFiles,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "chaos",
          include: ["test/chaos/**/*.test.ts"],
          setupFiles,
          testTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          setupFiles,
          testTimeout: 300_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
