import type { ConfirmRequest, Question } from "@lineup/host";
import { t } from "../../text/text.ts";
import { useHost } from "../host_context.ts";

export function ConfirmForm({ question, request }: { question: Question; request: ConfirmRequest }) {
  const host = useHost();
  const busy = question.phase !== "open";
  const answer = (approved: boolean) => void host.questions.submit(question.id, { approved });
  return (
    <div class="question-acts">
      <button type="button" class="main" disabled={busy} onClick={() => answer(true)}>
        {request.approve_label ?? t("question.approve")}
      </button>
      <button type="button" disabled={busy} onClick={() => answer(false)}>
        {request.cancel_label ?? t("question.decline")}
      </button>
    </div>
  );
}
