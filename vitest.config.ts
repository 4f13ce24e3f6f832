import { defineConfig } from "vitest/config";

const setupFiles = ["test/support/setup.ts"];

export default defineConfig({
  test: {
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
