import { t } from "../../text/text.ts";
import { useHost } from "../host_context.ts";
import { Tabs } from "../tabs.tsx";
import { AgentFeed } from "./agent_feed.tsx";
import { SayForm } from "./say_form.tsx";
import { Scenes } from "./scenes.tsx";
import { ToolForm } from "./tool_form.tsx";

/** The Agent's seat: what it hears, says, calls and plays. */
export function AgentConsole() {
  const host = useHost();
  const tabs = [
    {
      id: "talk",
      name: t("agent.talk"),
      content: () => (
        <>
          <AgentFeed />
          <SayForm />
        </>
      ),
    },
    { id: "tools", name: t("agent.tools"), content: () => <ToolForm /> },
    ...(host.shell.scenes.value === null ? [] : [{ id: "scenes", name: t("agent.scenes"), content: () => <Scenes /> }]),
  ];
  return <Tabs tabs={tabs} label={t("workbench.agent")} />;
}
