import type { CapabilityRequest, JsonObject } from "@lineup/host";
import { effect } from "@preact/signals";
import type { Host } from "./host.ts";
import { language, theme } from "./preferences.ts";

/**
 * The capabilities that this Host provides. None of them reaches network, files, clipboard or devices (RULES 8).
 *
 * `appearance.read`: the theme and the language that the user chose, for a MiniApp whose logic wants to know.
 */
const PROVIDERS: Readonly<Record<string, () => JsonObject>> = {
  "appearance.read": () => ({ theme: theme.peek(), language: language.peek() }),
};

export const PROVIDED = Object.keys(PROVIDERS);

/** Answers what the manifest declares, the policy does not deny and, where it was asked, the user allowed. */
export class Providers {
  readonly #host: Host;
  readonly #answered = new Set<string>();

  constructor(host: Host) {
    this.#host = host;
    host.client.onLost(() => this.#answered.clear());
    effect(() => {
      if (!host.isLive.value) return;
      for (const request of host.workspace.value.capability_requests) this.#answer(request);
    });
  }

  #answer({ request_id, capability }: CapabilityRequest): void {
    if (this.#answered.has(request_id)) return;
    this.#answered.add(request_id);
    const provide = PROVIDERS[capability];
    const params =
      provide === undefined
        ? ({ request_id, outcome: "denied" } as const)
        : ({ request_id, outcome: "granted", result: provide() } as const);
    void this.#host.attempt(() => this.#host.store.resolveCapability(params));
  }
}
