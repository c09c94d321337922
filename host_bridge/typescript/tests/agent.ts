// An Agent on the far side of the Host's transport, which this client carries: what it sends is delivered at once.
import type { RpcClient, RuntimeEnvelope, TransportDeliverResult } from "../src/index.js";

export const PEER = { agent_id: "agent", conversation_id: "conversation" };

export class Agent {
  readonly heard: RuntimeEnvelope[] = [];
  readonly #client: RpcClient;
  #count = 0;
  #revision = "";
  readonly #hasInventory: Promise<void>;

  constructor(client: RpcClient) {
    this.#client = client;
    let ready = () => {};
    this.#hasInventory = new Promise((resolve) => {
      ready = resolve;
    });
    client.on("transport.send", ({ outbox_id, envelope }) => {
      const told = envelope as RuntimeEnvelope;
      this.heard.push(told);
      if (told.type === "lineup.v1.client.inventory") {
        this.#revision = told.payload.revision;
        ready();
      }
      void client.call("transport.ack", { outbox_ids: [outbox_id] }).catch(() => undefined);
    });
  }

  /** Call a Tool; its call_id, and the verdict. */
  async invoke(tool_id: string, input: object): Promise<{ call_id: string; verdict: TransportDeliverResult }> {
    await this.#hasInventory;
    this.#count += 1;
    const call_id = `call-${this.#count}`;
    const payload = { call_id, tool_id, inventory_revision: this.#revision, input } as never;
    const envelope = { type: "lineup.v1.tool.invoke", message_id: `message-${this.#count}`, payload } as const;
    const verdict = await this.#client.call("transport.deliver", { peer: PEER, envelope });
    if (verdict.status !== "accepted")
      throw new Error(`${tool_id} was ${verdict.status}: ${verdict.code} ${verdict.message}`);
    return { call_id, verdict };
  }

  /** What became of a call, once it has ended. */
  result(callId: string) {
    return this.heard.flatMap(({ type, payload }) =>
      type === "lineup.v1.tool.result" && payload.call_id === callId ? [payload] : [],
    )[0];
  }
}
