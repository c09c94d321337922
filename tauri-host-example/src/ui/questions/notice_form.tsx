import type { NoticeRequest, Question } from "@lineup/host";
import { t } from "../../text/text.ts";
import { useHost } from "../host_context.ts";

export function NoticeForm({ question, request }: { question: Question; request: NoticeRequest }) {
  const host = useHost();
  const acknowledge = () => void host.questions.submit(question.id, { acknowledged: true });
  return (
    <div class="question-acts">
      <button type="button" class="main" disabled={question.phase !== "open"} onClick={acknowledge}>
        {request.acknowledge_label ?? t("question.acknowledge")}
      </button>
    </div>
  );
}
