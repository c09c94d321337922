import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { PROTOCOL_VERSION } from "../../src/index.js";
import { HOST, makeBed } from "../sidecar.js";

it("a Host of a few lines, with nothing but Node, drives the same sidecar", async () => {
  const child = (await makeBed()).spawn();
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async () => JSON.parse((await lines.next()).value ?? "null");
  const ask = (id: number, method: string, params: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\r\n`);
  ask(1, "initialize", { protocol_version: PROTOCOL_VERSION, host: HOST });
  expect(await read()).toMatchObject({ jsonrpc: "2.0", id: 1, result: { protocol_version: PROTOCOL_VERSION } });
  const conversation_id = "a\u2028b\u0085c\u000bd 漢😀\r\n";
  ask(2, "workspace.open", { conversation_id, agent_id: "a" });
  expect(await read()).toMatchObject({ id: 2, result: { conversation_id } });
  expect(await read()).toMatchObject({ method: "workspace.changed", params: { conversation_id } });
  child.stdin.end();
  if (child.exitCode === null) await once(child, "exit");
  expect(child.exitCode).toBe(0);
});
