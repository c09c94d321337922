import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    exclude: ["tests/browser/**"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    unstubGlobals: true,
    maxWorkers: 2,
    expect: { poll: { timeout: 10_000 } },
  },
});
