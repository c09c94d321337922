import { defineConfig } from "vitest/config";

/** Tests in Chromium: `npm run test:browser`. They need a browser, and the project's Python environment. */
export default defineConfig({
  test: {
    include: ["tests/browser/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    fileParallelism: false,
  },
});
