// A transport between a real one and its client, from which messages may be kept and into which some may be put.
import type { Receiver, Transport } from "../src/index.js";

export class Lossy implements Transport {
  /** Says of a message whether it comes through. */
  passes: (message: { method?: string; result?: { surface_token?: string } }) => boolean = () => true;
  #receiver: Receiver | undefined;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  open(receiver: Receiver) {
    this.#receiver = receiver;
    return this.#transport.open({
      receive: (text) => {
        if (this.passes(JSON.parse(text))) receiver.receive(text);
      },
      fault: (fault) => receiver.fault(fault),
      lost: (loss) => receiver.lost(loss),
    });
  }

  say(method: string, params: object): void {
    this.#receiver?.receive(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }
}
