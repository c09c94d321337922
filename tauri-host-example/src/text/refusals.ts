import { ConnectionLostError, type RefusalCode, ResponseError } from "@lineup/host";
import { language } from "../model/preferences.ts";
import { t } from "./text.ts";

/** What a refusal of the Runtime means, in Chinese; its own words are English. */
const CHINESE: Readonly<Record<RefusalCode, string>> = {
  inventory_revision_mismatch: "工具清单已更新，请按当前版本再试。",
  tool_not_advertised: "清单中没有这个工具。",
  tool_input_invalid: "输入不符合工具的要求。",
  tool_output_invalid: "结果不符合工具的要求。",
  app_disabled: "这个应用已停用。",
  app_instance_not_found: "这个应用没有打开。",
  app_scope_mismatch: "没有这个应用。",
  lifecycle_denied: "现在不能这样切换应用。",
  capability_denied: "这项能力未获允许。",
  call_already_final: "这次调用已经结束。",
  context_token_invalid: "会话已失效，请重新打开。",
  permission_denied: "不允许这样做。",
  call_not_found: "找不到这次调用。",
  call_id_conflict: "这个调用编号已被使用。",
  call_state_invalid: "这次调用还没有开始。",
  envelope_invalid: "消息的格式不正确。",
  message_not_found: "找不到这条消息。",
  interaction_not_found: "找不到这个问题。",
  interaction_already_final: "这个问题已经结束。",
  interaction_request_invalid: "问题的格式不正确。",
  interaction_result_invalid: "回答不符合问题的要求，请修改。",
  renderer_unavailable: "这个窗口无法显示这个问题。",
  app_session_invalid: "没有这个应用会话。",
  surface_not_found: "这个界面已经关闭。",
  surface_denied: "不允许打开这个界面。",
  surface_patch_invalid: "这个改动不被接受。",
  surface_revision_conflict: "界面已有更新，请再试一次。",
  artifact_invalid: "这个文件不被接受。",
  artifact_not_found: "找不到这个文件。",
  manifest_invalid: "应用的清单文件有误。",
  capability_request_not_found: "找不到这个请求。",
  limit_exceeded: "数量已达上限，请稍后再试。",
  shutting_down: "运行时正在关闭。",
};

/** What a refusal says, in the user's language. A word that is no refusal's, and English, are told as they came. */
export function sayRefusal(code: string, message: string): string {
  return language.value === "zh" && Object.hasOwn(CHINESE, code) ? CHINESE[code as RefusalCode] : message;
}

/** What went wrong, in the user's language as far as it is known there. */
export function sayError(error: unknown): string {
  if (error instanceof ResponseError) return sayRefusal(error.refusal ?? "", error.message);
  if (error instanceof ConnectionLostError) return t("lost.title");
  return error instanceof Error ? error.message : String(error);
}
