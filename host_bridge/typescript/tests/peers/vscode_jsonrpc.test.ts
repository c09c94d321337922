import { once } from "node:events";
import { expect, it } from "vitest";
import { createMessageConnection, ResponseError, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { PROTOCOL_VERSION, type WorkspaceChanged } from "../../src/index.js";
import { HOST, makeBed } from "../sidecar.js";

it("a Host that frames with Content-Length drives the same sidecar", async () => {
  const child = (await makeBed()).spawn();
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const changed = new Promise<WorkspaceChanged>((resolve) => connection.onNotification("workspace.changed", resolve));
  connection.listen();
  const session = await connection.sendRequest("initialize", { protocol_version: PROTOCOL_VERSION, host: HOST });
  expect(session).toMatchObject({ protocol_version: PROTOCOL_VERSION });
  const conversation_id = "漢😀é\u2028\r\n";
  const open = (agent_id: string) => connection.sendRequest("workspace.open", { conversation_id, agent_id });
  expect(await open("a")).toMatchObject({ conversation_id, instances: [{ app_scope: "chat" }] });
  expect(await changed).toMatchObject({ conversation_id });
  const refused = await open("another").catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ResponseError);
  expect(refused).toMatchObject({ code: 1000, data: { code: "envelope_invalid" } });
  expect(await Promise.all(Array.from({ length: 20 }, () => connection.sendRequest("ping", {})))).toEqual(
    Array(20).fill({}),
  );
  expect(await connection.sendRequest("shutdown", {})).toBeNull();
  await connection.sendNotification("exit", {});
  if (child.exitCode === null) await once(child, "exit");
  expect(child.exitCode).toBe(0);
  connection.dispose();
});
