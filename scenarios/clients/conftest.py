"""Fixtures for pytest: one venue for a session, and for each test a `world`, a base address and a key of its own."""

import json, subprocess, time, urllib.request
import pytest

def admin(venue, method, path, body=None):
    """Asks the admin API: admin(venue, "POST", f"/worlds/{world['id']}/clock/advance", {"byMs": 1000})."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(venue["adminUrl"] + path, data, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)

@pytest.fixture(scope="session")
def venue(tmp_path_factory):
    ready = tmp_path_factory.mktemp("otcsim") / "ready.json"
    server = subprocess.Popen(["npx", "otcsim", "serve", "--port", "0", "--clock", "manual", "--ready-file", str(ready)])
    while not ready.exists():
        assert server.poll() is None, "otcsim has ended"
        time.sleep(0.05)
    facts = json.loads(ready.read_text())
    yield facts
    admin(facts, "POST", "/shutdown")
    server.wait(10)

@pytest.fixture
def world(venue, request):
    made = admin(venue, "POST", "/worlds", {"seed": request.node.nodeid, "clock": {"mode": "manual"}})
    key = next(account["keys"][0] for account in made["accounts"] if account["id"] == "trader")
    yield {"url": venue["url"], "id": made["id"], **key}
    admin(venue, "DELETE", "/worlds/" + made["id"])
