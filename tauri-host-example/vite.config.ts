import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The Host package is built from its sources: one TypeScript program, and no copy that could be old. */
const host = fileURLToPath(new URL("../host_bridge/typescript/src/index.ts", import.meta.url));

export default defineConfig({
  base: "./",
  resolve: { alias: { "@lineup/host": host } },
  build: {
    target: "es2022",
    // The page's policy allows its own files and nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: true,
  },
  test: { include: ["tests/**/*.test.ts"] },
});
