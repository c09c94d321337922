import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { PROTOCOL_VERSION, RpcClient, webSocket } from "../../src/index.js";
import { type Bed, HOST, makeBed } from "../sidecar.js";

/** A server that does with a socket what the web bridge does: a frame is a line of the sidecar, both ways. */
async function serve(connect: (socket: WebSocket) => void): Promise<string> {
  const server = new WebSocketServer({
    host: "127.0.0.1",
    port: 0,
    handleProtocols: (offered) => [...offered][0] ?? false,
  });
  server.on("connection", connect);
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  await once(server, "listening");
  return `ws://127.0.0.1:${(server.address() as { port: number }).port}/rpc`;
}

function carry(socket: WebSocket, bed: Bed): void {
  const child = bed.spawn();
  createInterface({ input: child.stdout }).on("line", (line) => socket.send(line));
  socket.on("message", (data) => child.stdin.write(`${data}\n`));
  socket.on("close", () => child.stdin.end());
  child.on("close", () => socket.close(4500, "the sidecar ended"));
}

const loseOnce = (client: RpcClient) => new Promise((resolve) => client.onLost(resolve));

describe("webSocket", () => {
  it("drives a sidecar behind a bridge, one message a frame", async () => {
    const bed = await makeBed();
    const asked: string[] = [];
    const url = await serve((socket) => {
      asked.push(socket.protocol);
      carry(socket, bed);
    });
    const client = new RpcClient();
    const connection = await client.connect(webSocket(url, () => ["lineup.v1", "token.secret"], WebSocket));
    await client.call("initialize", { protocol_version: PROTOCOL_VERSION, host: HOST });
    const conversation_id = "漢😀\u2028\r\n";
    const changes = client.stream("workspace.changed");
    expect(await client.call("workspace.open", { conversation_id, agent_id: "a" })).toMatchObject({ conversation_id });
    expect((await changes.next()).value).toMatchObject({ conversation_id });
    expect(asked).toEqual(["lineup.v1"]);
    const lost = loseOnce(client);
    await connection.close();
    expect(await lost).toMatchObject({ code: 1000, final: false });
  });

  it("asks for the protocols anew for each connection", async () => {
    const asked: string[] = [];
    const url = await serve((socket) => asked.push(socket.protocol));
    const client = new RpcClient();
    let attempt = 0;
    const transport = webSocket(url, () => [`token.${++attempt}`], WebSocket);
    await client.connect(transport);
    await client.connect(transport);
    await expect.poll(() => asked).toEqual(["token.1", "token.2"]);
  });

  it.each([
    [4500, false],
    [1011, false],
    [4401, true],
    [4409, true],
    [4503, true],
    [1001, true],
  ])("tells of close code %i whether it is final: %s", async (code, final) => {
    const client = new RpcClient();
    const url = await serve((socket) => socket.once("message", () => socket.close(code, "because")));
    await client.connect(webSocket(url, undefined, WebSocket));
    await expect(client.call("ping")).rejects.toMatchObject({ loss: { code, final, message: /because/ } });
  });

  it("tells of frames that are not text", async () => {
    const client = new RpcClient();
    const faults: string[] = [];
    client.onFault(({ message }) => faults.push(message));
    const url = await serve((socket) => {
      socket.send(Buffer.from("{}"));
      socket.close(4500);
    });
    const lost = loseOnce(client);
    await client.connect(webSocket(url, undefined, WebSocket)).catch(() => undefined);
    await lost;
    expect(faults).toEqual(["a frame that is not text"]);
  });

  it("is lost at once where it is given up, whatever the other side does", async () => {
    const client = new RpcClient();
    const connection = await client.connect(webSocket(await serve((socket) => socket.pause()), undefined, WebSocket));
    const call = client.call("ping");
    await connection.kill();
    await expect(call).rejects.toThrow("was given up");
  });

  it("fails where nobody listens", async () => {
    await expect(new RpcClient().connect(webSocket("ws://127.0.0.1:9/rpc", undefined, WebSocket))).rejects.toThrow(
      "the web bridge closed the connection: code 1006",
    );
  });
});
