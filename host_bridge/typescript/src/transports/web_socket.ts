import { ConnectionLostError, type Loss } from "../errors.js";
import type { Connection, Receiver, Transport } from "../transport.js";

/** What is needed of a WebSocket. */
export interface Socket {
  send(text: string): void;
  close(code?: number): void;
  addEventListener(type: "open" | "error", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { code: number; reason: string }) => void): void;
}

export type SocketConstructor = new (url: string, protocols: string[]) => Socket;

/** Close codes after which the page connects again only when the user says so; those of 4400 to 4499 are among them. */
const FINAL_CODES: readonly number[] = [1001, 1008, 1009, 4503];

/**
 * A browser and the web bridge: one JSON-RPC message a text frame.
 *
 * `protocols` is asked for each connection, since a token is good once; `Socket` is for programs that have none.
 */
export function webSocket(
  url: string,
  protocols: () => readonly string[] = () => [],
  Socket: SocketConstructor = globalThis.WebSocket,
): Transport {
  return {
    open: (receiver) =>
      new Promise((resolve, reject) => open(new Socket(url, [...protocols()]), receiver, resolve, reject)),
  };
}

function open(
  socket: Socket,
  receiver: Receiver,
  resolve: (connection: Connection) => void,
  reject: (error: Error) => void,
): void {
  let over = false;
  const lose = (loss: Loss) => {
    if (over) return;
    over = true;
    receiver.lost(loss);
    reject(new ConnectionLostError(loss));
  };
  const send = (text: string) => {
    if (over) throw new Error("the socket is closed");
    socket.send(text);
  };
  const kill = () => {
    lose({ message: "the connection to the web bridge was given up" });
    socket.close();
  };
  socket.addEventListener("open", () => resolve({ send, close: () => socket.close(1000), kill }));
  socket.addEventListener("error", () => undefined); // a close follows and says why
  socket.addEventListener("close", ({ code, reason }) => {
    const final = FINAL_CODES.includes(code) || (code >= 4400 && code < 4500);
    lose({ message: `the web bridge closed the connection: ${reason || `code ${code}`}`, final, code });
  });
  socket.addEventListener("message", ({ data }) => {
    if (over) return;
    if (typeof data === "string") receiver.receive(data);
    else receiver.fault({ message: "a frame that is not text" });
  });
}
