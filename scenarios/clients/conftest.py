"""Fixtures for pytest: one venue for a session, and for each test a `world`, a base address and a key of its own."""

import json, pathlib, subprocess, time, urllib.error, urllib.request
import pytest

class Refused(AssertionError):
    """The venue, or its admin API, has refused a request: its own words."""

def ask(request):
    """The JSON of an answer; a refusal raises with the reason that it gives."""
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        text = refusal.read().decode(errors="replace")
        raise Refused(f"{request.get_method()} {request.full_url}: {refusal.code} {text}") from None

def admin(venue, method, path, body=None):
    """Asks the admin API: admin(venue, "POST", f"/worlds/{world['id']}/clock/advance", {"byMs": 1000})."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    return ask(urllib.request.Request(venue["adminUrl"] + path, data, headers, method=method))

@pytest.fixture(scope="session")
def venue(tmp_path_factory):
    ready = tmp_path_factory.mktemp("otcsim") / "ready.json"
    command = ["npx", "--no", "otcsim", "serve", "--port", "0", "--clock", "manual", "--ready-file", str(ready)]
    server = subprocess.Popen(command)
    until = time.monotonic() + 60
    while not ready.exists():
        assert server.poll() is None, "otcsim has ended: is it installed beside these tests?"
        assert time.monotonic() < until, "otcsim was not ready within a minute"
        time.sleep(0.05)
    facts = json.loads(ready.read_text())
    yield facts
    admin(facts, "POST", "/shutdown")
    server.wait(10)

@pytest.fixture
def world(venue, request):
    name = request.node.nodeid
    made = admin(venue, "POST", "/worlds", {"seed": name, "test": name, "clock": {"mode": "manual"}})
    key = next(account["keys"][0] for account in made["accounts"] if account["id"] == "trader")
    request.node.otcsim = {"url": venue["url"], "id": made["id"], **key}
    yield request.node.otcsim
    admin(venue, "DELETE", "/worlds/" + made["id"])

@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """A failed test ends with its seed, the last refusal, and the command that opens the console where it failed."""
    report = yield
    if report.when == "call" and report.failed and hasattr(item, "otcsim"):
        about = {"test": item.nodeid, "message": str(call.excinfo.value)[:20000]}
        kept = admin(item.funcargs["venue"], "POST", f"/worlds/{item.otcsim['id']}/failure", about)
        folder = pathlib.Path(kept["folder"])
        folder.mkdir(exist_ok=True)
        for file in kept["files"]:
            (folder / file["name"]).write_text(file["text"])
        report.sections.append(("otcsim", kept["text"]))
    return report
