import type { RefusalCounts } from "@lineup/host";
import { t } from "../../text/text.ts";
import { nameOf } from "../apps.ts";
import { useHost } from "../host_context.ts";

/** Each surface, and what was refused of what its frame said. */
export function FramesPane() {
  const host = useHost();
  const { surfaces, instances } = host.workspace.value;
  if (surfaces.length === 0) return <p class="hint">{t("frames.none")}</p>;
  return (
    <ul class="rows">
      {surfaces.map(({ surface_id, instance_id, title, container, status, revision, attached }) => (
        <li key={surface_id}>
          <p class="call-head">
            <strong>{nameOf(instances.find((one) => one.instance_id === instance_id)?.app_scope ?? "")}</strong>
            <span class={`status status-${status === "open" ? "running" : "failed"}`}>{t(`surface.${status}`)}</span>
          </p>
          <dl class="facts">
            <dt>{t("frames.title")}</dt>
            <dd>{title}</dd>
            <dt>{t("frames.container")}</dt>
            <dd>
              <code>{container}</code>
            </dd>
            <dt>{t("frames.revision")}</dt>
            <dd>{revision}</dd>
            <dt>{t("frames.attached")}</dt>
            <dd>{attached ? t("yes") : t("no")}</dd>
            <dt>{t("frames.refused")}</dt>
            <dd>{refusedBy(host.containers.bridges.value.get(surface_id)?.refused)}</dd>
          </dl>
        </li>
      ))}
    </ul>
  );
}

function refusedBy(counts: RefusalCounts = {}): string {
  return (
    Object.entries(counts)
      .map(([refusal, n]) => `${refusal} ${n}`)
      .join(", ") || "0"
  );
}
