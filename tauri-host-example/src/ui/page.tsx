import { useEffect } from "preact/hooks";
import { t } from "../text/text.ts";
import { ConnectionScreen } from "./connection_screen.tsx";
import { useHost } from "./host_context.ts";
import { Notes } from "./notes.tsx";
import { PolicyQuestion } from "./questions/policy_question.tsx";
import { Sidebar } from "./sidebar.tsx";
import { Stage } from "./stage.tsx";
import { Workbench } from "./workbench/workbench.tsx";

export function Page() {
  const host = useHost();
  const live = host.isLive.value;
  const waiting = host.questions.open.value.length;
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) LineUp` : "LineUp";
  }, [waiting]);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        {t("page.skip")}
      </button>
      <div class="page" data-live={live}>
        <Sidebar />
        <Stage />
        <Workbench />
      </div>
      <ConnectionScreen />
      <PolicyQuestion />
      <Notes />
    </>
  );
}
