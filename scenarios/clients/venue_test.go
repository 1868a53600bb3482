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
	"testing"
	"time"
)

type world struct{ ID, APIKey, APISecret string }

var venue struct{ URL, AdminURL string }

func TestMain(m *testing.M) {
	folder, _ := os.MkdirTemp("", "otcsim")
	ready := filepath.Join(folder, "ready.json")
	server := exec.Command("npx", "--no", "otcsim", "serve", "--port", "0", "--clock", "manual", "--ready-file", ready)
	server.Stderr = os.Stderr
	if err := server.Start(); err != nil {
		panic(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	for until := time.Now().Add(time.Minute); venue.URL == ""; time.Sleep(50 * time.Millisecond) {
		if text, err := os.ReadFile(ready); err == nil {
			json.Unmarshal(text, &venue)
			continue
		}
		select {
		case err := <-ended:
			fmt.Fprintln(os.Stderr, "otcsim has ended: is it installed beside these tests?", err)
			os.Exit(1)
		default:
		}
		if time.Now().After(until) {
			server.Process.Kill()
			fmt.Fprintln(os.Stderr, "otcsim was not ready within a minute")
			os.Exit(1)
		}
	}
	code := m.Run()
	http.Post(venue.AdminURL+"/shutdown", "application/json", nil)
	<-ended
	os.Exit(code)
}

// newWorld is a venue for one test, by a key of its own.
func newWorld(t *testing.T) world {
	t.Helper()
	var made struct {
		ID       string
		Accounts []struct {
			ID   string
			Keys []world
		}
	}
	admin(t, "POST", "/worlds", map[string]any{"seed": t.Name(), "test": t.Name(), "clock": map[string]any{"mode": "manual"}}, &made)
	t.Cleanup(func() {
		if t.Failed() {
			tell(t, made.ID)
		}
		admin(t, "DELETE", "/worlds/"+made.ID, nil, nil)
	})
	key := made.Accounts[1].Keys[0]
	return world{made.ID, key.APIKey, key.APISecret}
}

// tell ends a failed test with its seed, the last refusal, and the command that opens the console where it failed.
func tell(t *testing.T, id string) {
	var kept struct {
		Text, Folder string
		Files        []struct{ Name, Text string }
	}
	admin(t, "POST", "/worlds/"+id+"/failure", map[string]any{"test": t.Name()}, &kept)
	os.MkdirAll(kept.Folder, 0o777)
	for _, file := range kept.Files {
		os.WriteFile(filepath.Join(kept.Folder, file.Name), []byte(file.Text), 0o666)
	}
	t.Log("\n" + kept.Text)
}

func admin(t *testing.T, method, path string, body any, into any) {
	t.Helper()
	text, _ := json.Marshal(body)
	request, _ := http.NewRequest(method, venue.AdminURL+path, bytes.NewReader(text))
	request.Header.Set("Content-Type", "application/json")
	if body == nil {
		request, _ = http.NewRequest(method, venue.AdminURL+path, nil)
	}
	send(t, request, into)
}

func call(t *testing.T, as world, method, path string, body any, into any) {
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
	send(t, request, into)
}

// send fails the test with the venue's own words when it refuses.
func send(t *testing.T, request *http.Request, into any) {
	t.Helper()
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	if answer.StatusCode >= 400 {
		t.Fatalf("%s %s: %d %s", request.Method, request.URL.Path, answer.StatusCode, text)
	}
	if into != nil {
		json.Unmarshal(text, into)
	}
}

func TestAMarketableOrderFills(t *testing.T) {
	t.Parallel()
	as := newWorld(t)
	var order struct{ OrderID, Status string }
	call(t, as, "POST", "/api/sdk/orders",
		map[string]any{"side": "buy", "asset": "BTC", "quantity": 0.1, "price": 110000}, &order)
	call(t, as, "GET", "/api/sdk/orders/"+order.OrderID, nil, &order)
	if order.Status != "filled" {
		t.Fatalf("the order is %s", order.Status)
	}
}
