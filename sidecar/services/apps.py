"""The MiniApps of this Runtime: their bundles, whether they are enabled, and the inventory made of them (RULES 7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from rpc_schema.envelopes import AppVersion, ClientInventoryPayload
from rpc_schema.manifest import AdvertisedTool, Manifest, ToolDescriptor
from rpc_schema.workspace import RunBy
from sidecar.bundles.bundle import Bundle
from sidecar.domain.inventory import advertised, inventory_revision, visible_capabilities
from sidecar.domain.policy import Policy
from sidecar.domain.tool_schema import Fault, Validator, compile_schema
from sidecar.domain.version import is_newer

Direction = Literal["input", "output"]


class Apps:
    """Every MiniApp by scope, and what an Agent is told of them."""

    def __init__(self, bundles: Mapping[str, Bundle], policy: Policy, disabled: set[str]) -> None:
        self.bundles = bundles
        self._policy = policy
        self._disabled = disabled
        self._host_version = ""
        self._host_run: frozenset[str] = frozenset()
        self._providers: frozenset[str] = frozenset()
        self._tools = {
            tool.id: (bundle.manifest, tool) for bundle in bundles.values() for tool in bundle.manifest.tools
        }
        self._validators: dict[tuple[str, Direction], Validator] = {}
        self.inventory = self._take_inventory()

    # -- what the session says
    def meet_host(self, version: str, host_run: frozenset[str], providers: frozenset[str]) -> None:
        """A session began: what the Host is decides what is advertised."""
        self._host_version, self._host_run, self._providers = version, host_run, providers
        self.inventory = self._take_inventory()

    def set_enabled(self, app_scope: str, enabled: bool) -> None:
        """The user switched an app on or off."""
        (self._disabled.discard if enabled else self._disabled.add)(app_scope)
        self.inventory = self._take_inventory()

    def recall(self, disabled: set[str], version: str, host_run: frozenset[str], providers: frozenset[str]) -> None:
        """Go back to what is stored and to the session that is on."""
        self._disabled = disabled
        self.meet_host(version, host_run, providers)

    # -- questions
    def manifest(self, app_scope: str) -> Manifest | None:
        """The manifest of an app, if there is such an app."""
        bundle = self.bundles.get(app_scope)
        return None if bundle is None else bundle.manifest

    def enabled(self, app_scope: str) -> bool:
        """Whether the user lets it run; an app whose bundle is gone does not."""
        return app_scope in self.bundles and app_scope not in self._disabled

    def unavailable(self, app_scope: str) -> str | None:
        """Why an app is not advertised although it is enabled, or None."""
        manifest = self.bundles[app_scope].manifest
        return "host_too_old" if is_newer(manifest.host.min_version, self._host_version) else None

    def run_by(self, app_scope: str) -> RunBy:
        """Who runs its logic: the Host where it said so or where the bundle has none, else a worker."""
        bundle = self.bundles.get(app_scope)
        return "host" if app_scope in self._host_run or bundle is None or bundle.logic is None else "worker"

    def is_system(self, app_scope: str) -> bool:
        """Whether it is the system MiniApp."""
        manifest = self.manifest(app_scope)
        return manifest is not None and manifest.kind == "system"

    def tool(self, tool_id: str) -> tuple[Manifest, ToolDescriptor] | None:
        """The Tool and its app, advertised or not."""
        return self._tools.get(tool_id)

    def faults(self, tool: ToolDescriptor, direction: Direction, value: object) -> list[Fault]:
        """Where the input or output of a Tool fails its schema, 20 places at most."""
        validator = self._validators.get((tool.id, direction))
        if validator is None:
            schema = tool.input_schema if direction == "input" else tool.output_schema
            validator = self._validators[tool.id, direction] = compile_schema(schema)
        return validator.faults(value)

    def advertised_tool(self, tool_id: str) -> AdvertisedTool | None:
        """The Tool as the inventory has it now, if it has it."""
        return next((tool for tool in self.inventory.tools if tool.id == tool_id), None)

    def declares(self, app_scope: str, capability: str) -> bool:
        """Whether the app's manifest requests a capability."""
        manifest = self.manifest(app_scope)
        return manifest is not None and capability in manifest.requested_capabilities

    def provided(self, capability: str) -> bool:
        """Whether the Host named itself a provider of it."""
        return capability in self._providers

    def _take_inventory(self) -> ClientInventoryPayload:
        manifests = [
            bundle.manifest
            for scope, bundle in sorted(self.bundles.items())
            if scope not in self._disabled and self.unavailable(scope) is None
        ]
        tools = advertised(manifests)
        apps = [AppVersion(app_scope=manifest.app_scope, version=manifest.version) for manifest in manifests]
        capabilities = visible_capabilities(manifests, self._policy, self._providers)
        revision = inventory_revision(tools, apps, capabilities)
        return ClientInventoryPayload(revision=revision, tools=tools, apps=apps, capabilities=capabilities)
