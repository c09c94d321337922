import type { AdvertisedTool } from "@lineup/host";
import { computed, type ReadonlySignal } from "@preact/signals";
import type { Host } from "./host.ts";
import { INTERACTIVE_TOOLS } from "./interactive_tools.ts";

export interface Inventory {
  readonly revision: string;
  readonly tools: readonly AdvertisedTool[];
}

/**
 * The Tools that the Agent's console offers.
 *
 * A conversation is told its inventory once. Where that was to an earlier page, the same is put together from what the
 * Host can read: the revision of the session, the apps' manifests and the four questions.
 */
export function inventoryOf(host: Host): ReadonlySignal<Inventory> {
  return computed(() => {
    const told = host.agent.inventory.value;
    const revision = told?.revision ?? host.session.value?.inventory_revision ?? "";
    const tools = [...appTools(host), ...INTERACTIVE_TOOLS].sort((one, other) => (one.id < other.id ? -1 : 1));
    return told ?? { revision, tools };
  });
}

function appTools(host: Host): readonly AdvertisedTool[] {
  return host.miniapps.value
    .filter(({ enabled, unavailable }) => enabled && unavailable === null)
    .flatMap(({ manifest }) => manifest.tools.map((tool) => ({ ...tool, timeout_ms: tool.timeout_ms ?? null })));
}
