import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as contract from "../src/contract.js";
import { sidecarPath } from "./sidecar.js";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

it("is the one that rpc_schema generated", () => {
  expect(read("../src/generated/lineup.ts") === read("../../../rpc_schema/generated/lineup.ts")).toBe(true);
});

it("is the one that the sidecar speaks", () => {
  const told = execFileSync(sidecarPath(), ["schema", "typescript"], { encoding: "utf8" });
  expect(read("../src/generated/lineup.ts") === told).toBe(true);
});

it("is exported whole by the package", async () => {
  expect(await import("../src/index.js")).toMatchObject({ ...contract });
});
