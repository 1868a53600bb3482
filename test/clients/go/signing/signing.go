// Package signing signs requests on their way out, whichever client has made them.
package signing

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// Client signs with the key that the environment names.
func Client() *http.Client { return &http.Client{Transport: transport{}} }

type transport struct{}

func (transport) RoundTrip(request *http.Request) (*http.Response, error) {
	var body []byte
	if request.Body != nil {
		var err error
		if body, err = io.ReadAll(request.Body); err != nil {
			return nil, err
		}
	}
	timestamp := fmt.Sprint(time.Now().UnixMilli())
	digest := hmac.New(sha256.New, []byte(os.Getenv("VENUE_SECRET")))
	fmt.Fprint(digest, timestamp, request.Method, request.URL.RequestURI(), string(body))
	signed := request.Clone(request.Context())
	signed.Body = io.NopCloser(bytes.NewReader(body))
	signed.Header.Set("X-API-Key", os.Getenv("VENUE_KEY"))
	signed.Header.Set("X-API-Timestamp", timestamp)
	signed.Header.Set("X-API-Signature", hex.EncodeToString(digest.Sum(nil)))
	return http.DefaultTransport.RoundTrip(signed)
}
