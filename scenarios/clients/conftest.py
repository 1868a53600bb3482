"""Fixtures for pytest: one venue for a session, and for each test a `world`, a base address and a key of its own."""

import json, os, pathlib, shutil, signal, subprocess, time, urllib.error, urllib.request
import pytest

class Refused(AssertionError):
    """The venue, or its admin API, has refused a request: its own words."""

# The venue is on this machine, so no proxy stands between, whatever http_proxy says.
direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
os.environ["NO_PROXY"] = os.environ["no_proxy"] = ",".join(
    filter(None, [os.environ.get("NO_PROXY") or os.environ.get("no_proxy"), "127.0.0.1,localhost"]))

def ask(request):
    """The JSON of an answer; a refusal raises with the reason that it gives."""
    try:
        with direct.open(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        text = refusal.read().decode(errors="replace")
        raise Refused(f"{request.get_method()} {request.full_url}: {refusal.code} {text}") from None

def admin(venue, method, path, body=None):
    """Asks the admin API: admin(venue, "POST", f"/worlds/{world['id']}/clock/advance", {"byMs": 1000})."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    return ask(urllib.request.Request(venue["adminUrl"] + path, data, headers, method=method))

def end(server):
    """Ends the venue and what npx has put around it, whatever state they are in."""
    if os.name == "nt":
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(server.pid)], capture_output=True)
    else:
        try:
            os.killpg(server.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()

@pytest.fixture(scope="session")
def venue(tmp_path_factory):
    if os.environ.get("OTC_ADMIN_URL"):  # beside `otcsim exec` or `otcsim matrix`, or a server of your own
        yield {"url": os.environ["OTC_BASE_URL"], "adminUrl": os.environ["OTC_ADMIN_URL"]}
        return
    ready = tmp_path_factory.mktemp("otcsim") / "ready.json"
    npx = shutil.which("npx") or "npx"  # npx.cmd on Windows
    command = [npx, "--no", "otcsim", "serve", "--port", "0", "--clock", "manual", "--ready-file", str(ready)]
    # Its stdin ends with this process, however that ends, and the venue with it.
    server = subprocess.Popen(
        [*command, "--until-input-ends"], stdin=subprocess.PIPE, start_new_session=os.name != "nt")
    try:
        until = time.monotonic() + 60
        while not ready.exists():
            assert server.poll() is None, "otcsim has ended: is it installed beside these tests?"
            assert time.monotonic() < until, "otcsim was not ready within a minute"
            time.sleep(0.05)
        yield json.loads(ready.read_text())
    finally:
        end(server)

def name_of(item):
    """A test's file, relative to the nearest package.json, and its title: the same from whatever folder it is run."""
    path = pathlib.Path(item.path)
    root = next((folder for folder in path.parents if (folder / "package.json").exists()), path.parent)
    return "::".join([path.relative_to(root).as_posix(), *item.nodeid.split("::")[1:]])

def asked(name, otherwise):
    """What `otcsim exec` and `otcsim matrix` ask of the worlds of tests."""
    return json.loads(os.environ.get(name) or json.dumps(otherwise))

@pytest.fixture
def world(venue, request):
    """A world of the test's own. @pytest.mark.parametrize("world", [{"clock": {"mode": "follow"}}], indirect=True) asks
    for another one; `account` says whose key it has."""
    name = name_of(request.node)
    given = {"account": "trader", "clock": {"mode": "manual"}, **getattr(request, "param", {})}
    whose = given.pop("account")
    form = {"seed": os.environ.get("OTC_SEED") or name, "test": name, **given}
    made = admin(venue, "POST", "/worlds", {**form, "readings": asked("OTC_READINGS", {})})
    path = "/worlds/" + made["id"]
    key = next(account["keys"][0] for account in made["accounts"] if account["id"] == whose)
    request.node.otcsim = {"url": venue["url"], "id": made["id"], "now": made["now"], **key}
    admin(venue, "PUT", path + "/rate-limits", {"enabled": False})  # leave this out for a test of limits
    for fault in asked("OTC_FAULTS", []):
        admin(venue, "POST", path + "/faults", fault)
    yield request.node.otcsim
    try:
        if os.environ.get("OTC_EVIDENCE_FILE"):
            count = admin(venue, "POST", path + "/requests/count", {})["count"]
            faults = admin(venue, "GET", path + "/faults")["faults"]
            with open(os.environ["OTC_EVIDENCE_FILE"], "a") as file:
                file.write(json.dumps({"test": name, "requests": count, "faults": faults}) + "\n")
        admin(venue, "DELETE", path)
    except (OSError, Refused):
        pass  # the test has deleted its world, or the venue is gone: the test itself says what matters

@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """A failed test ends with its seed, the last refusal, and the command that opens the console where it failed."""
    report = yield
    if report.when == "call" and report.failed and hasattr(item, "otcsim"):
        try:
            report.sections.append(("otcsim", keep(item, str(call.excinfo.value)[:20000])))
        except Exception as problem:  # the test's own message comes first
            report.sections.append(("otcsim", f"the journal cannot be kept: {problem}"))
    return report

def keep(item, message):
    """Keeps a failed test's journal and requests, and returns the text to print."""
    about = {"test": name_of(item), "message": message}
    kept = admin(item.funcargs["venue"], "POST", f"/worlds/{item.otcsim['id']}/failure", about)
    folder = pathlib.Path(kept["folder"])
    folder.mkdir(parents=True, exist_ok=True)
    for file in kept["files"]:
        (folder / file["name"]).write_text(file["text"], encoding="utf-8")
    return kept["text"]
