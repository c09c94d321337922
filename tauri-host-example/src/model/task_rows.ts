import type { JsonObject } from "@lineup/host";
import { effect } from "@preact/signals";
import type { Host } from "./host.ts";
import { timelineOf } from "./timeline.ts";

/** Tells Interact how Tool calls stand, so that its timeline has a row for each. */
export class TaskRows {
  readonly #host: Host;
  /** What was told and is not in the timeline yet. */
  readonly #told = new Map<string, string>();

  constructor(host: Host) {
    this.#host = host;
    host.client.onLost(() => this.#told.clear());
    effect(() => this.#follow());
  }

  #follow(): void {
    const timeline = timelineOf(this.#host.workspace.value);
    if (timeline === null || !this.#host.isLive.value) return;
    const calls = new Map(this.#host.workspace.value.tool_calls.map((call) => [call.call_id, call]));
    for (const call of Object.values(this.#host.agent.feed.value.calls)) {
      if (call.status !== "sending")
        calls.set(call.call_id, { ...call, status: call.status, instance_id: null, updated_at: call.at });
    }
    for (const { call_id, tool_id, status } of calls.values()) {
      if (tool_id.startsWith("interaction.")) continue;
      const shown = timeline.entries.find(({ id }) => id === `task:${call_id}`);
      if (shown?.entry["status"] === status || this.#told.get(call_id) === status) continue;
      this.#told.set(call_id, status);
      this.#tell(timeline.surfaceId, { call_id, tool_id, status });
    }
  }

  #tell(surfaceId: string, task: JsonObject & { call_id: string }): void {
    this.#host.emit(surfaceId, "task", task).catch(() => this.#told.delete(task.call_id));
  }
}
