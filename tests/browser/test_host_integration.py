"""``docs/host-integration.md``: a bare Vite app becomes a Host with exactly the lines that the page shows."""

import re
import subprocess

from playwright.sync_api import Browser

from tests.browser.served import ROOT, Served

GUIDE = ROOT / "docs" / "host-integration.md"
PACKAGE = ROOT / "host_bridge" / "typescript"
VITE = ROOT / "tauri-host-example" / "node_modules" / "vite"
FILE = re.compile(r"^`([\w.]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_guides_lines_mount_a_miniapp(browser: Browser, tmp_path):
    files = dict(FILE.findall(GUIDE.read_text()))
    assert set(files) == {"index.html", "main.ts"}
    assert sum(len(text.splitlines()) for text in files.values()) < 60
    app = tmp_path / "app"
    (app / "node_modules" / "@lineup").mkdir(parents=True)
    (app / "node_modules" / "@lineup" / "host").symlink_to(PACKAGE)
    for name, text in files.items():
        (app / name).write_text(text)
    subprocess.run(["node", VITE / "bin" / "vite.js", "build", "--logLevel", "warn"], cwd=app, check=True, timeout=120)
    with Served(tmp_path / "lineup.sqlite", "--page", str(app / "dist")) as server:
        tab = browser.new_context().new_page()
        faults: list[str] = []
        tab.on("pageerror", lambda error: faults.append(str(error)))
        tab.goto(server.address())
        frame = tab.frame_locator("#stage iframe")
        frame.get_by_role("heading").first.wait_for(timeout=20_000)
        assert tab.locator("#stage iframe").get_attribute("sandbox") == "allow-scripts"
        assert faults == []
        tab.context.close()
