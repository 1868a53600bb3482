// Tests in Go: one venue for the package, and for each test a world of its own, so they may run in parallel.
package venue

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

type world struct{ ID, APIKey, APISecret string }

// teller is a test that remembers what its failures say, so that the venue can answer it. Assertion libraries take it, too.
type teller struct {
	*testing.T
	lock sync.Mutex
	said []string
}

func (t *teller) note(text string) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.said = append(t.said, text)
}

func (t *teller) Error(words ...any) { t.Helper(); t.note(fmt.Sprintln(words...)); t.T.Error(words...) }
func (t *teller) Fatal(words ...any) { t.Helper(); t.note(fmt.Sprintln(words...)); t.T.Fatal(words...) }
func (t *teller) Errorf(form string, words ...any) {
	t.Helper()
	t.note(fmt.Sprintf(form, words...))
	t.T.Errorf(form, words...)
}
func (t *teller) Fatalf(form string, words ...any) {
	t.Helper()
	t.note(fmt.Sprintf(form, words...))
	t.T.Fatalf(form, words...)
}

var venue struct{ URL, AdminURL string }

// direct reaches the venue on this machine without a proxy, whatever http_proxy says.
var direct = &http.Client{Transport: &http.Transport{}}

func TestMain(m *testing.M) {
	if url := os.Getenv("OTC_ADMIN_URL"); url != "" { // beside `otcsim exec` or `otcsim matrix`, or a server of your own
		venue.URL, venue.AdminURL = os.Getenv("OTC_BASE_URL"), url
		os.Exit(m.Run())
	}
	os.Exit(runBesideVenue(m))
}

func runBesideVenue(m *testing.M) int {
	folder, _ := os.MkdirTemp("", "otcsim")
	defer os.RemoveAll(folder)
	ready := filepath.Join(folder, "ready.json")
	server := exec.Command("npx", "--no", "otcsim", "serve", "--port", "0", "--clock", "manual", "--ready-file", ready,
		"--until-input-ends")
	server.StdinPipe() // it ends with this process, also when a test panics, and the venue with it
	server.Stderr = os.Stderr
	if err := server.Start(); err != nil {
		panic(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	defer func() {
		if answer, err := direct.Post(venue.AdminURL+"/shutdown", "application/json", nil); err == nil {
			answer.Body.Close()
		}
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			server.Process.Kill()
		}
	}()
	for until := time.Now().Add(time.Minute); venue.URL == ""; time.Sleep(50 * time.Millisecond) {
		if text, err := os.ReadFile(ready); err == nil {
			json.Unmarshal(text, &venue)
			continue
		}
		select {
		case err := <-ended:
			fmt.Fprintln(os.Stderr, "otcsim has ended: is it installed beside these tests?", err)
			ended <- err
			return 1
		default:
		}
		if time.Now().After(until) {
			server.Process.Kill()
			fmt.Fprintln(os.Stderr, "otcsim was not ready within a minute")
			return 1
		}
	}
	return m.Run()
}

// nameOf is a test's folder, relative to the nearest package.json, and its name: the same wherever it is run.
func nameOf(t *testing.T) string {
	here, _ := os.Getwd() // go test runs in the folder of the package
	for root := here; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "package.json")); err == nil {
			path, _ := filepath.Rel(root, here)
			return filepath.ToSlash(filepath.Join(path, t.Name()))
		}
		if root == filepath.Dir(root) {
			return t.Name()
		}
	}
}

// asked is what `otcsim exec` and `otcsim matrix` ask of the worlds of tests.
func asked(name, otherwise string) string {
	if text := os.Getenv(name); text != "" {
		return text
	}
	return otherwise
}

// newWorld is a venue for one test, by a key of its own, and the test as one that remembers what it says.
func newWorld(given *testing.T) (*teller, world) {
	given.Helper()
	t := &teller{T: given}
	var made struct {
		ID       string
		Accounts []struct {
			ID   string
			Keys []world
		}
	}
	name := nameOf(given)
	admin(t, "POST", "/worlds", map[string]any{"seed": asked("OTC_SEED", name), "test": name,
		"clock": map[string]any{"mode": "manual"}, "readings": json.RawMessage(asked("OTC_READINGS", "{}"))}, &made)
	path := "/worlds/" + made.ID
	t.Cleanup(func() {
		// The test's own message comes first: what fails here is only said.
		if t.Failed() {
			tell(t, path, name)
		}
		note(path, name)
		send(adminRequest("DELETE", path, nil), nil)
	})
	admin(t, "PUT", path+"/rate-limits", map[string]any{"enabled": false}, nil) // leave this out for a test of limits
	var faults []json.RawMessage
	json.Unmarshal([]byte(asked("OTC_FAULTS", "[]")), &faults)
	for _, fault := range faults {
		admin(t, "POST", path+"/faults", fault, nil)
	}
	key := made.Accounts[1].Keys[0]
	return t, world{made.ID, key.APIKey, key.APISecret}
}

// tell ends a failed test with its seed, the last refusal, and the command that opens the console where it failed.
func tell(t *teller, path, name string) {
	var kept struct {
		Text, Folder string
		Files        []struct{ Name, Text string }
	}
	about := map[string]any{"test": name, "message": strings.TrimSpace(strings.Join(t.said, "\n"))}
	if err := send(adminRequest("POST", path+"/failure", about), &kept); err != nil {
		t.Log("otcsim: the journal cannot be kept:", err)
		return
	}
	os.MkdirAll(kept.Folder, 0o777)
	for _, file := range kept.Files {
		os.WriteFile(filepath.Join(kept.Folder, file.Name), []byte(file.Text), 0o666)
	}
	t.Log("\n" + kept.Text)
}

// note says what has become of a world, for `otcsim matrix`.
func note(path, name string) {
	file := os.Getenv("OTC_EVIDENCE_FILE")
	var requests struct{ Count int }
	var rules struct{ Faults []any }
	if file == "" || send(adminRequest("POST", path+"/requests/count", map[string]any{}), &requests) != nil {
		return
	}
	send(adminRequest("GET", path+"/faults", nil), &rules)
	use := map[string]any{"test": name, "requests": requests.Count, "faults": append([]any{}, rules.Faults...)}
	line, _ := json.Marshal(use)
	if out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666); err == nil {
		out.Write(append(line, '\n'))
		out.Close()
	}
}

func adminRequest(method, path string, body any) *http.Request {
	text, _ := json.Marshal(body)
	if body == nil {
		text = nil
	}
	request, _ := http.NewRequest(method, venue.AdminURL+path, bytes.NewReader(text))
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return request
}

func admin(t testing.TB, method, path string, body any, into any) {
	t.Helper()
	if err := send(adminRequest(method, path, body), into); err != nil {
		t.Fatal(err)
	}
}

func call(t testing.TB, as world, method, path string, body any, into any) {
	t.Helper()
	text := []byte{}
	if body != nil {
		text, _ = json.Marshal(body)
	}
	stamp := strconv.FormatInt(time.Now().UnixMilli(), 10)
	mac := hmac.New(sha256.New, []byte(as.APISecret))
	mac.Write(append([]byte(stamp+method+path), text...))
	request, _ := http.NewRequest(method, venue.URL+path, bytes.NewReader(text))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-API-Key", as.APIKey)
	request.Header.Set("X-API-Timestamp", stamp)
	request.Header.Set("X-API-Signature", hex.EncodeToString(mac.Sum(nil)))
	if err := send(request, into); err != nil {
		t.Fatal(err)
	}
}

// send returns the venue's own words when it refuses.
func send(request *http.Request, into any) error {
	answer, err := direct.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	if answer.StatusCode >= 400 {
		return fmt.Errorf("%s %s: %d %s", request.Method, request.URL.Path, answer.StatusCode, text)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(text, into)
}

func TestAMarketableOrderFills(given *testing.T) {
	given.Parallel()
	t, as := newWorld(given)
	var order struct{ OrderID, Status string }
	call(t, as, "POST", "/api/sdk/orders",
		map[string]any{"side": "buy", "asset": "BTC", "quantity": 0.1, "price": 110000}, &order)
	call(t, as, "GET", "/api/sdk/orders/"+order.OrderID, nil, &order)
	if order.Status != "filled" {
		t.Fatalf("the order is %s", order.Status)
	}
}
