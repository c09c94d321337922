"""Every limit of the Runtime, once. Sizes are bytes, times milliseconds, the rest counts."""

from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * KIB
SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

# -- the wire (PROTOCOL 1.1)
MAX_MESSAGE_BYTES: Final = 8 * MIB
MAX_QUEUED_BYTES: Final = 32 * MIB
MAX_QUEUED_NEWS: Final = MAX_QUEUED_BYTES - MAX_MESSAGE_BYTES
"""How much of the queue notifications may fill: the rest is for answers."""
MAX_HEADER_BYTES: Final = 8 * KIB
MAX_JSON_DEPTH: Final = 64
MAX_INTEGER_DIGITS: Final = 4_000
MAX_INTEGER: Final = 2**53 - 1
"""The largest whole number that every reader of JSON keeps exactly."""
MAX_BATCH: Final = 1_000
MAX_WORKER_BATCH: Final = 50
"""A batch is answered as a whole, and all others wait for it: a MiniApp's may not be long."""
MAX_ERROR_TEXT: Final = 400
"""Characters of one message in ``data.errors``: an error never repeats what was sent."""
MAX_ERRORS: Final = 20
DRAIN_MS: Final = 5 * SECOND
"""How long what was accepted is still answered after the end of input."""
HARD_EXIT_MS: Final = 1 * SECOND
"""How long after the drain the process may take to end before it is ended."""

# -- names and texts
MAX_ID: Final = 128
MAX_NAME: Final = 200
MAX_TEXT: Final = 4_000
MAX_REASON: Final = 1_000
MAX_MESSAGE_TEXT: Final = 32_000
MAX_DESCRIPTION: Final = 1_024
TOKEN_BYTES: Final = 32

# -- lists
MAX_INBOX_LIST: Final = 200
MAX_AUDIT_LIST: Final = 500
MAX_PAGE_BYTES: Final = 4 * MIB
"""Of what is read at once of a list that goes on: a page ends there, too."""
MAX_ACK: Final = 10_000
MAX_HOST_NAMES: Final = 1_000
"""App scopes in ``host_run``, or capabilities among the providers, of one ``initialize``."""
MAX_RENDERERS: Final = 10
MAX_ACTION_IDS: Final = 1_000
"""As a Host may send them; which of them count is judged by the question."""

# -- outbox, inbox (PROTOCOL 7, RULES 6)
OUTBOX_WINDOW: Final = 64
MAX_OUTBOX_PENDING: Final = 10_000
MAX_INBOX_PENDING: Final = 1_000
MAX_SURFACE_EVENTS_PENDING: Final = 200
MAX_INBOX_BYTES: Final = 5 * MIB
"""Of the payloads that an Inbox holds, as the wire says them: what waits is handed over as one message."""

# -- workspace
MAX_INSTANCES: Final = 16
MAX_OPEN_CALLS: Final = 100
MAX_WORKERS: Final = 8
MAX_OPEN_CALLS_BYTES: Final = 4 * MIB
"""Of the inputs of an instance's open calls, where a large one comes: what is open is handed over as one message."""
SMALL_INPUT: Final = 32 * KIB
"""Up to here an input always has room: ``MAX_OPEN_CALLS`` of them fit beside the large ones."""
MAX_RESULT: Final = 4 * MIB
"""Of a Tool's result, or of the details of its failure: it must reach the Agent as one message."""
MAX_CAPABILITY_REQUESTS: Final = 8
CLOSING_GRACE_MS: Final = 2 * SECOND
WORKER_MEMORY: Final = 256 * MIB

# -- Tools (RULES 2)
MIN_TIMEOUT_MS: Final = 1 * SECOND
MAX_TIMEOUT_MS: Final = DAY
MAX_CALL_LIFETIME_MS: Final = DAY

# -- standard interactions (PROTOCOL 4.1, RULES 5)
MIN_EXPIRY_MS: Final = 1 * MINUTE
MAX_EXPIRY_MS: Final = DAY
DEFAULT_EXPIRY_MS: Final = 15 * MINUTE
NOTICE_EXPIRY_MS: Final = DAY
MAX_ACTIONS: Final = 50
MAX_FIELDS: Final = 20
MAX_DRAFT: Final = 64 * KIB
MAX_OPEN_INTERACTIONS: Final = 50
MAX_OPEN_INTERACTIONS_OF_INSTANCE: Final = 8
MAX_OPEN_INTERACTIONS_BYTES: Final = 4 * MIB
"""Of the requests and drafts that are open in a conversation: a list of them is one message."""
MAX_RECORDS_BYTES: Final = 6 * MIB
"""Of the requests and results in one list of records: the open ones, and as many endings as there is room for."""
MAX_ENDED_RECORDS: Final = 50
ENDED_RECORDS_MS: Final = DAY

# -- surfaces and artifacts (PROTOCOL 5)
MAX_SURFACES: Final = 4
MAX_PATCH: Final = 256 * KIB
MAX_PATCH_DEPTH: Final = 32
MAX_STATE: Final = 1 * MIB
MAX_EVENT_PAYLOAD: Final = 512 * KIB
"""Room for the longest chat message, escaped to ASCII."""
MAX_ARTIFACT: Final = 4 * MIB
MAX_ARTIFACTS_OF_INSTANCE: Final = 64 * MIB

# -- capabilities (RULES 8)
PROVIDER_TIMEOUT_MS: Final = 15 * MINUTE
MAX_CAPABILITY_ARGUMENTS: Final = 64 * KIB
MAX_CAPABILITY_RESULT: Final = 128 * KIB
"""Of what a provider answers: those of all open requests have room beside a full Inbox."""

# -- bundles and the schema subset (PROTOCOL 10)
MAX_MANIFEST: Final = 1 * MIB
MAX_TOOLS: Final = 200
MAX_PERMISSIONS: Final = 50
MAX_SUBSCRIPTIONS: Final = 10
MAX_REQUESTED_CAPABILITIES: Final = 50
MAX_SCHEMA_DEPTH: Final = 16
MAX_SCHEMA_PROPERTIES: Final = 256
MAX_SCHEMA_ENUM: Final = 1_000
MAX_SCHEMA_TEXT: Final = 64 * KIB
MAX_DOCUMENT: Final = 4 * MIB

# -- keeping (RULES 6)
KEEP_MS: Final = 30 * DAY
"""How long acked outbox and inbox rows, dedupe rows and audit rows are kept."""

WIRE_LIMITS: Final = {
    "max_message_bytes": MAX_MESSAGE_BYTES,
    "max_queued_bytes": MAX_QUEUED_BYTES,
    "max_json_depth": MAX_JSON_DEPTH,
    "max_batch": MAX_BATCH,
    "max_ack": MAX_ACK,
    "outbox_window": OUTBOX_WINDOW,
    "max_outbox_pending": MAX_OUTBOX_PENDING,
    "max_inbox_pending": MAX_INBOX_PENDING,
    "max_inbox_pending_bytes": MAX_INBOX_BYTES,
    "max_surface_events_pending": MAX_SURFACE_EVENTS_PENDING,
    "max_instances": MAX_INSTANCES,
    "max_open_calls": MAX_OPEN_CALLS,
    "max_open_calls_bytes": MAX_OPEN_CALLS_BYTES,
    "max_result_bytes": MAX_RESULT,
    "max_open_interactions": MAX_OPEN_INTERACTIONS,
    "max_open_interactions_of_instance": MAX_OPEN_INTERACTIONS_OF_INSTANCE,
    "max_open_interactions_bytes": MAX_OPEN_INTERACTIONS_BYTES,
    "max_surfaces": MAX_SURFACES,
    "max_patch_bytes": MAX_PATCH,
    "max_patch_depth": MAX_PATCH_DEPTH,
    "max_state_bytes": MAX_STATE,
    "max_event_payload_bytes": MAX_EVENT_PAYLOAD,
    "max_document_bytes": MAX_DOCUMENT,
    "max_artifact_bytes": MAX_ARTIFACT,
    "max_artifacts_of_instance_bytes": MAX_ARTIFACTS_OF_INSTANCE,
    "max_draft_bytes": MAX_DRAFT,
    "max_capability_requests": MAX_CAPABILITY_REQUESTS,
    "max_capability_arguments_bytes": MAX_CAPABILITY_ARGUMENTS,
    "max_capability_result_bytes": MAX_CAPABILITY_RESULT,
    "max_workers": MAX_WORKERS,
}
"""What ``initialize`` tells a Host as ``limits``: what a request can run into although each of its fields fits."""
