import { t } from "../../text/text.ts";
import { useHost } from "../host_context.ts";
import { Tabs } from "../tabs.tsx";
import { AuditPane } from "./audit_pane.tsx";
import { CallsPane } from "./calls_pane.tsx";
import { FramesPane } from "./frames_pane.tsx";
import { OutboxPane } from "./outbox_pane.tsx";
import { RuntimePane } from "./runtime_pane.tsx";

/** What goes on beneath: everything here is read, and little of it is changed. */
export function Inspector() {
  const host = useHost();
  const { tool_calls, surfaces } = host.workspace.value;
  const tabs = [
    { id: "runtime", name: t("inspector.runtime"), content: () => <RuntimePane /> },
    { id: "calls", name: t("inspector.calls"), count: tool_calls.length, content: () => <CallsPane /> },
    { id: "outbox", name: t("inspector.outbox"), count: host.outbox.rows.value.length, content: () => <OutboxPane /> },
    { id: "frames", name: t("inspector.frames"), count: surfaces.length, content: () => <FramesPane /> },
    { id: "audit", name: t("inspector.audit"), content: () => <AuditPane /> },
  ];
  return <Tabs tabs={tabs} label={t("workbench.inspector")} />;
}
