// Tests in Go: one venue for the package, and for each test a world of its own, so they may run in parallel.
package venue

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

type key struct{ APIKey, APISecret string }

var venue struct{ URL, AdminURL string }

func TestMain(m *testing.M) {
	folder, _ := os.MkdirTemp("", "otcsim")
	ready := filepath.Join(folder, "ready.json")
	server := exec.Command("npx", "otcsim", "serve", "--port", "0", "--clock", "manual", "--ready-file", ready)
	if err := server.Start(); err != nil {
		panic(err)
	}
	for {
		if text, err := os.ReadFile(ready); err == nil {
			json.Unmarshal(text, &venue)
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	code := m.Run()
	http.Post(venue.AdminURL+"/shutdown", "application/json", nil)
	server.Wait()
	os.Exit(code)
}

// newWorld is a venue for one test, by a key of its own.
func newWorld(t *testing.T) key {
	body, _ := json.Marshal(map[string]any{"seed": t.Name(), "clock": map[string]any{"mode": "manual"}})
	answer, err := http.Post(venue.AdminURL+"/worlds", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	var made struct {
		ID       string
		Accounts []struct {
			ID   string
			Keys []key
		}
	}
	json.NewDecoder(answer.Body).Decode(&made)
	t.Cleanup(func() {
		request, _ := http.NewRequest("DELETE", venue.AdminURL+"/worlds/"+made.ID, nil)
		http.DefaultClient.Do(request)
	})
	return made.Accounts[1].Keys[0]
}

func call(t *testing.T, k key, method, path string, body any, into any) {
	text := []byte{}
	if body != nil {
		text, _ = json.Marshal(body)
	}
	stamp := strconv.FormatInt(time.Now().UnixMilli(), 10)
	mac := hmac.New(sha256.New, []byte(k.APISecret))
	mac.Write(append([]byte(stamp+method+path), text...))
	request, _ := http.NewRequest(method, venue.URL+path, bytes.NewReader(text))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-API-Key", k.APIKey)
	request.Header.Set("X-API-Timestamp", stamp)
	request.Header.Set("X-API-Signature", hex.EncodeToString(mac.Sum(nil)))
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	json.NewDecoder(answer.Body).Decode(into)
}

func TestAMarketableOrderFills(t *testing.T) {
	t.Parallel()
	world := newWorld(t)
	var order struct{ OrderID, Status string }
	call(t, world, "POST", "/api/sdk/orders",
		map[string]any{"side": "buy", "asset": "BTC", "quantity": 0.1, "price": 110000}, &order)
	call(t, world, "GET", "/api/sdk/orders/"+order.OrderID, nil, &order)
	if order.Status != "filled" {
		t.Fatalf("the order is %s", order.Status)
	}
}
