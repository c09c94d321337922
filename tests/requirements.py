"""What the Runtime must do, a row a sentence: of the rules, of the definition's acceptance list, of the design review.

Tests name rows with ``@pytest.mark.requirement("R2-check-order")``; ``tests/test_requirements.py`` holds both together.
"""

from __future__ import annotations

from typing import NamedTuple


class Requirement(NamedTuple):
    """One sentence that must hold; ``later`` says why no test of this suite names it."""

    source: str
    text: str
    later: str = ""


BY_MAKE = "make test runs it beside this suite: npm's tests and builds, and tabs that may leave no error behind"

_RULES_1 = {
    "R1-shape-first": "Framing, JSON and closed objects are judged before anything else is.",
    "R1-speaker-then-right": "Who speaks is judged before what that speaker may do.",
    "R1-one-transaction": "A state change, its audit entry and its outbox or inbox rows commit together or not at all.",
    "R1-after-the-commit": "No answer and no notification leaves before the commit that it speaks of.",
    "R1-refused-reaches-nobody": "A refused request reaches no MiniApp and no Host container.",
    "R1-refused-is-audited": "A refused request is audited with its code.",
    "R1-submitted-is-final": "For refusals, lists, limits, parents and drafts, submitted counts as final.",
    "R1-overdue-first": "What is overdue expires before any decision about it is taken.",
    "R1-answered-alone": "Four refusals of an envelope leave no record, no outbox row and use no id up.",
    "R1-duplicate-repeats": "A duplicate repeats the first code, message and receipt, and does nothing.",
    "R1-ids-of-a-peer": "message_id, call_id and control_id are unique per Agent and conversation.",
    "R1-first-ending-wins": "The first final write wins; a later one is refused as already final and writes no row.",
    "R1-unique-in-the-store": "One result a call, receipt a control id, delivery a message id: keys of the store.",
}

_RULES_2 = {
    "R2-accepted": "An accepted invoke is recorded and audited, and is routed in the same transaction.",
    "R2-refused": "A refused invoke is recorded as rejected, audited and told to the Agent as tool.rejected.",
    "R2-routed": "Routing finds or makes the instance, sets the focus and opens an app session if it is new.",
    "R2-handed-over": "A call runs when it is handed to a live sdk.tools subscription, and waits until then.",
    "R2-progress-while-running": "Progress is taken while the call runs; before that it is call_state_invalid.",
    "R2-progress-coalesced": "At most one un-sent progress row a call: a newer one replaces it, the result removes it.",
    "R2-outcome-fixed": "Complete, fail and cancel from the instance fix the outcome and write the one tool.result.",
    "R2-final-with-the-ack": "A submitted call is completed, failed or cancelled once that outbox row is acked.",
    "R2-closed-cancels": "Calls of an instance that closes are cancelled with app_closed, each told once.",
    "R2-timeout": "A call over its timeout_ms is expired with the reason timeout, and its MiniApp hears of it.",
    "R2-agent-cancels": "The Agent's tool.cancel cancels with agent_cancelled; the instance hears sdk.tools.closed.",
    "R2-crash-fails": "Calls of a worker that is gone for good fail with app_crashed.",
    "R2-cancel-receipt": "tool.cancel reaches ordinary Tools, dismiss interactive ones; both give a stored receipt.",
    "R2-check-order": "An invoke is checked in a fixed order and the first failure is its code.",
    "R2-known-call": "A known call_id: final is call_already_final, the same again duplicate, else call_id_conflict.",
    "R2-disabled-code": "Tools of a disabled app are not in the inventory, yet their code is app_disabled.",
    "R2-rejected-is-final": "A rejected call is final: another try is another call_id.",
    "R2-complete-checks": "complete is checked for own instance, finality, the app being enabled, then the result.",
    "R2-output-schema": "A result that does not fit leaves the call running; it may be completed again.",
    "R2-ends-the-tool-alone": "Completing a Tool changes no surface, instance, focus or app session.",
    "R2-redelivery": "After a remount, a worker's or Runtime's restart, running calls wait again and come redelivered.",
    "R2-human-time": "While a question linked to a call is open the call's clock stands still, and its deadline moves.",
    "R2-one-day": "A call expires 24 h after its creation, whatever happens.",
    "R2-permissions": "A descriptor's permissions must be declared and not denied, else capability_denied.",
    "R2-direct": "direct makes an instance in the background or reuses one; requires_foreground decides the focus.",
    "R2-launch": "launch makes or reuses an instance and brings it to the foreground.",
    "R2-foreground": "foreground needs a live instance and brings it to the foreground.",
    "R2-operation": "operation needs a live instance; requires_foreground decides the focus.",
    "R2-interactive": "An interactive Tool has no target, makes no instance and leaves the focus alone.",
    "R2-one-instance": "An app has at most one live instance in a conversation.",
    "R2-message-refusals": "A message is refused without an instance, without a subscription, or for an unknown scope.",
    "R2-envelope-names": "An instance_id or app_scope that an envelope names must be the call's own.",
}

_RULES_3 = {
    "R3-derived-state": "starting until the logic connected, suspended while it is not, else foreground or background.",
    "R3-closed-is-final": "A closed instance stays closed; nothing can be done with it.",
    "R3-stack-holds-all": "The focus stack holds every live instance, and its top is the foreground.",
    "R3-interact-stays": "Interact is in every stack, never leaves it and is never closed.",
    "R3-interact-waits": "Interact cannot bring itself forward while another instance is on top.",
    "R3-raise": "Raising moves an instance to the top.",
    "R3-one-down": "requestBackground moves one place down; with nothing beneath it is lifecycle_denied.",
    "R3-enters-at-the-bottom": "An instance made without focus enters at the bottom.",
    "R3-lower-closes": "Closing a lower instance moves nothing.",
    "R3-foreground-for-work": "A bundled instance may ask for the foreground only while it holds an unfinished call.",
    "R3-user-may-always": "The user may bring any instance forward, always.",
    "R3-disabled-keeps": "Disabling an app keeps its instances, but nothing is delivered to them.",
    "R3-disabled-capabilities": "The open capability requests of an app that is disabled end denied, by policy.",
    "R3-disabled-refuses": "A disabled app's writes, opens, invokes and messages are refused with app_disabled.",
    "R3-disabled-allows": "Host focus, unmount, close and the Agent's cancel still work for a disabled app.",
    "R3-enabled-delivers": "Enabling an app delivers what waited.",
    "R3-workers-bounded": "At most 8 workers live: the one longest idle in the background gives way, and comes back.",
    "R3-nothing-in-memory": "Nothing waits in memory only.",
    "R3-close-no-new-calls": "No new Tool is delivered to an instance that closes.",
    "R3-close-calls": "Closing cancels each open call with one row each; submitted calls keep their outcome.",
    "R3-close-questions": "Closing cancels its own and the policy's questions without a row; the Agent's stay open.",
    "R3-close-surfaces": "Closing closes the instance's surfaces and revokes their tokens.",
    "R3-close-inbox": "What a closed instance had not acknowledged is kept and never delivered again.",
    "R3-close-session": "Closing ends the app session and tells the Agent cancelled calls and linked open questions.",
    "R3-close-focus": "Closing the foreground gives the focus to the instance below.",
    "R3-close-to-interact": "restore_previous_focus false of the Tool that raised it last gives the focus to Interact.",
    "R3-closing-heard": "The logic hears sdk.lifecycle.closing and has 2 s before its worker is ended.",
    "R3-close-again": "Closing again is app_instance_not_found and writes no second row.",
}

_RULES_4 = {
    "R4-session-opens": "A bundled instance gets an app session; the Agent is told its stable id reliably.",
    "R4-no-inner-business": "An app session records nothing of the app's inner business.",
    "R4-session-ends": "An app session ends with its instance, and may still be named as history.",
}

_RULES_5 = {
    "R5-statuses": "pending, presented, submitted, completed; cancelled, expired or failed from the first two.",
    "R5-answer-presents": "An answer to a pending question presents it first.",
    "R5-agents-question": "An Agent's question is owned by Interact's context and answered as one tool.result.",
    "R5-agents-channel": "An Agent's question passes no Inbox and no sdk.tools; Interact sees it read-only.",
    "R5-miniapps-question": "A MiniApp's question is owned by its instance, from its token, and answered to it alone.",
    "R5-policys-question": "The policy's question belongs to the Runtime and decides the capability.",
    "R5-host-answers-alone": "Only renderer.* on the Host's connection takes an answer; no MiniApp answers one.",
    "R5-completed": "completed once the owner has it: the row acked, or the record handed over or read.",
    "R5-subscribe-recent": "sdk.ui.subscribe returns the open ones and the newest 50 that ended within 24 h.",
    "R5-notice-presented": "An Agent's notice completes its call when first presented; the card stays.",
    "R5-notice-one-row": "However a presented notice ends, no second row is written; a dismiss is answered dismissed.",
    "R5-notice-expires": "A notice never shown within 24 h expires with one row.",
    "R5-main-im": "An Agent's question without a context belongs to the main IM, whatever is in front.",
    "R5-session-context": "A context must name a session of the same Agent and conversation, open or closed.",
    "R5-parent": "parent_call_id must be an own call that is not final, else no question is asked.",
    "R5-place-agents": "An Agent's question is an im-card of Interact; an app in front is named as overlay.",
    "R5-place-miniapps": "A MiniApp's question is shown in its own container: modal, or card for inline.",
    "R5-place-deferred": "While its owner is not in front a question is deferred, and presented again when it is.",
    "R5-place-policys": "The policy's question is a modal of the Host, titled by the Runtime, the reason quoted.",
    "R5-app-is-named": "A MiniApp's question is always shown with the app's name.",
    "R5-focus-stays": "The focus never changes for a question.",
    "R5-fall-back": "A mode that the Host lacks falls back; with none left the question is renderer_unavailable.",
    "R5-dismiss": "Dismiss finds by call_id and peer alone and writes the one row; otherwise a receipt only.",
    "R5-dismiss-receipt": "A dismiss's receipt is stored under its control id before it is answered.",
    "R5-expiry": "Expiry is by the Runtime's clock, survives restarts and is acted on within 1 s.",
    "R5-expiry-reason": "never_presented if nobody was shown it, else no_answer; the Agent's result carries it.",
    "R5-parent-ends": "A parent call that ends leaves its question open; the instance closing does not.",
    "R5-drafts": "A form's draft survives reload and restart until the question is final, and is then deleted.",
}

_RULES_6 = {
    "R6-expire-at-start": "At the start overdue calls and questions expire.",
    "R6-running-waits": "At the start running calls wait again; nothing interrupted counts as done.",
    "R6-submitted-waits": "A submitted call only waits for its row's ack.",
    "R6-outbox-again": "Un-acked outbox rows are sent again in order.",
    "R6-tokens-void": "After a restart every token is void.",
    "R6-surfaces-stay": "Surfaces keep state and revision and are attached again by the Host.",
    "R6-focus-stays": "The focus stack is as it was.",
    "R6-workers-wake": "Workers start for the foreground of opened workspaces, others when they are needed.",
    "R6-worker-restarts": "A worker that dies is started again after a pause.",
    "R6-crashed-for-good": "After the third failure in a minute its calls, questions, surfaces fail; the focus moves.",
    "R6-starts-anew": "A failed instance stays suspended and starts anew with the next invoke, open or foreground.",
    "R6-others-unaffected": "Other instances notice nothing of a crash.",
    "R6-quiet-before-initialize": "Before initialize nothing but answers leaves and no worker starts.",
    "R6-bound-inbox": "1 000 un-ACKed inbox rows an instance; more is limit_exceeded to the sender.",
    "R6-bound-calls": "100 open calls an instance.",
    "R6-bound-questions": "50 open questions a conversation, 8 of one MiniApp instance.",
    "R6-bound-surfaces": "4 surfaces an instance.",
    "R6-bound-events": "200 un-ACKed surface events an instance.",
    "R6-bound-artifacts": "64 MiB of artifacts an instance.",
    "R6-bound-outbox": "10 000 un-acked rows a conversation; past it invokes are refused, results still written.",
    "R6-bound-instances": "16 instances a conversation.",
    "R6-kept-30-days": "Acked outbox and inbox rows, dedupe rows and audit rows are kept 30 days.",
    "R6-killed-anywhere": "kill -9 at any instant loses nothing answered and doubles nothing final.",
}

_RULES_7 = {
    "R7-revision": "The revision is inv_ and 16 hex digits of SHA-256 over the canonical JSON of the content.",
    "R7-same-content": "The same content has the same revision, across restarts and machines.",
    "R7-changes-exactly": "It changes exactly when an app is switched, a manifest or the visible capabilities change.",
    "R7-told-to-all": "Every open conversation is told a changed inventory.",
    "R7-told-once": "A conversation is told the inventory once when it opens.",
}

_RULES_8 = {
    "R8-chain": "Manifest, then policy, then the user where it says ask, then the Host's provider.",
    "R8-default-deny": "A capability that the policy does not name is denied.",
    "R8-provider-time": "The provider has 15 minutes, then the request failed with timeout.",
    "R8-reasons": "Any no is capability_denied with its reason, audited.",
    "R8-nothing-handed-out": "Nothing hands out network, files, clipboard, devices, Host DOM, Tauri or raw protocol.",
}

_RULES_9 = {
    "C-older-word": "bundled-reference is read as bundled.",
    "C-both-kinds": "Agent's and MiniApp's questions both exist, told apart by source, neither in Inbox or sdk.tools.",
    "C-runtime-finalises": "The Runtime finalises an Agent's interactive call, in the transaction of the answer.",
    "C-nobody-closes-itself": "Task Dashboard and Whiteboard do not close when a Tool is done.",
    "C-expires-in-ms": "Expiry is asked for as expires_in_ms in the request and computed by the Runtime's clock.",
    "C-close-accepted": "Closing while a Tool runs is accepted and converges.",
    "C-one-prompt": "A choice has one prompt.",
    "C-notice-result": "An Agent's notice returns presented: true.",
    "C-guarded-logic": "app.py runs in a process of its own with guards against accidents.",
    "C-transport": "Login and sync are the Host's transport's; the Runtime keeps inbox, outbox and dedupe.",
    "C-older-call": "The older tool.call needs no revision and reaches the four interactive kinds alone.",
    "C-chat": "Interact's app_scope is chat.",
    "C-not-in-v1": "There is no catalog, no download, no installation and no network API.",
    "C-schema-subset": "The schema subset adds items and description, and nothing else.",
    "C-sandboxed": "Only Interact is trusted DOM; the bundled apps are sandboxed surfaces.",
    "C-unknown-cards": "A card of an unknown kind is shown as its text.",
}

_RULES_10 = {
    "R10-timeline": "Interact shows messages, the local echo, cards with their outcome and task rows in its timeline.",
    "R10-echo": "The user's text is sending until its outbox row is acked, then sent.",
    "R10-newest-500": "The timeline keeps the newest 500 entries.",
    "R10-modes": "audio and video are refused with a reason; the mode is im.",
    "R10-dashboard": "task-dashboard.open stays running and reports progress; the ending update completes it.",
    "R10-dashboard-closes": "Closing an unfinished task asks first; agreed, open is completed cancelled and it closes.",
    "R10-dashboard-note": "The event note asks for an input.",
    "R10-whiteboard": "Strokes are patches of the surface's state; submit makes an SVG artifact.",
    "R10-whiteboard-denied": "Whiteboard declares a capability that is denied, and shows the denial.",
}

_ACCEPTANCE = {
    "A1": "Each instance is injected a MiniAppContext that cannot be forged and reaches no further than itself.",
    "A2": "The three MiniApps get Inbox, Tools and lifecycle through the SDK alone.",
    "A3": "Manifest Tools have stable ids, schemas, handling, target scope and version.",
    "A4": "Only invokes with the current revision and an input that fits are accepted.",
    "A5": "Refused: unknown Tool, stale revision, bad input or output, scope, disabled, wrong instance, ended.",
    "A6": "notice, choice, confirm and input complete, recover and echo in IM through one standard interaction.",
    "A7": "The owner is injected and unforgeable, the parent verified, the result goes to the owner alone.",
    "A8": "Task Dashboard: launch, foreground, progress, question, result, close, Interact restored.",
    "A9": "Whiteboard: an isolated surface opens, is patched, submits and closes; drawing asks no standard question.",
    "A9-browser": "The isolated page reaches no Host DOM, Tauri or token.",
    "A10": "Progress, results and errors are validated, stored, audited and queued before the Agent is told.",
    "A11": "After a disconnect or restart everything open recovers within bounds; nothing interrupted looks done.",
    "A12": "There is no catalog, download or market interface.",
    "A13": "Sync, echo, Markdown, fallback, Tools, tasks, surfaces, capabilities, inbox, outbox and focus work on.",
}

_REVIEW = {
    "P1-1": "An accepted close cancels unfinished Tools once, keeps submitted results, restores the focus.",
    "P1-2": "Dismiss names call_id and control_id, trusts the envelope alone, is idempotent and survives a restart.",
    "P1-3": "Without a context a question is the main IM's; a context is verified, and a closed session is history.",
    "P3-1": "Four request kinds; expires_in_ms defaults to 15 minutes, 1 minute to 24 hours; none for notice.",
    "P3-2": "Completing a Tool of any bundled app closes nothing.",
}

_LATER = {
    "A14": Requirement("definition 9", "npm tests and build pass; no error goes unhandled in a browser.", BY_MAKE),
}


def _rows(source: str, sentences: dict[str, str]) -> dict[str, Requirement]:
    return {name: Requirement(source, text) for name, text in sentences.items()}


REQUIREMENTS: dict[str, Requirement] = {
    **_rows("RULES 1", _RULES_1),
    **_rows("RULES 2", _RULES_2),
    **_rows("RULES 3", _RULES_3),
    **_rows("RULES 4", _RULES_4),
    **_rows("RULES 5", _RULES_5),
    **_rows("RULES 6", _RULES_6),
    **_rows("RULES 7", _RULES_7),
    **_rows("RULES 8", _RULES_8),
    **_rows("RULES 9", _RULES_9),
    **_rows("RULES 10", _RULES_10),
    **_rows("definition 9", _ACCEPTANCE),
    **_rows("review 03", _REVIEW),
    **_LATER,
}
"""Every row, by id."""
