package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// endpoint is a local server that embeds a text as its length and its first
// byte, unless it is told to misbehave.
type endpoint struct {
	*httptest.Server
	asked   []remoteRequest
	headers []http.Header
	answers []http.HandlerFunc // for the first requests, instead
	waited  []time.Duration
}

func newEndpoint(t *testing.T, answers ...http.HandlerFunc) *endpoint {
	t.Helper()
	e := &endpoint{answers: answers}
	e.Server = httptest.NewServer(http.HandlerFunc(e.serve))
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) serve(w http.ResponseWriter, r *http.Request) {
	var q remoteRequest
	body, _ := io.ReadAll(r.Body)
	if r.Method != http.MethodPost || r.URL.Path != "/v1/embeddings" || json.Unmarshal(body, &q) != nil {
		http.Error(w, "what?", http.StatusBadRequest)
		return
	}
	e.asked, e.headers = append(e.asked, q), append(e.headers, r.Header)
	if n := len(e.asked) - 1; n < len(e.answers) && e.answers[n] != nil {
		e.answers[n](w, r)
		return
	}
	var list []string
	for i := range q.Input { // the last one first
		i = len(q.Input) - 1 - i
		list = append(list, fmt.Sprintf(`{"object": "embedding", "index": %d, "embedding": [%d, %d]}`, i, len(q.Input[i]), q.Input[i][0]))
	}
	fmt.Fprintf(w, `{"object": "list", "data": [%s], "model": "m", "usage": {"total_tokens": 3}}`, strings.Join(list, ","))
}

func (e *endpoint) model(t *testing.T, edit ...func(*RemoteOptions)) *Remote {
	t.Helper()
	opt := RemoteOptions{URL: e.URL + "/v1/", Name: "nomic", Wait: func(_ context.Context, d time.Duration) error {
		e.waited = append(e.waited, d)
		return nil
	}}
	for _, f := range edit {
		f(&opt)
	}
	m, err := NewRemote(opt)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func says(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestEmbedRemoteBatches(t *testing.T) {
	e := newEndpoint(t)
	m := e.model(t, func(o *RemoteOptions) { o.Batch, o.Key, o.KeyName = 2, "sk-123", "MY_KEY" })
	if m.Dims() != 0 {
		t.Errorf("%d dimensions before the first answer", m.Dims())
	}
	got, err := m.Embed(context.Background(), []string{"a", "bb", "ccc", " ", strings.Repeat("é", maxRemoteText)})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float32{{1, 'a'}, {2, 'b'}, {3, 'c'}, {1, '.'}, {maxRemoteText, 0xc3}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if len(e.asked) != 3 || len(e.asked[2].Input) != 1 || e.asked[0].Model != "nomic" || e.asked[0].Format != "float" {
		t.Errorf("asked %+v", e.asked)
	}
	if h := e.headers[0].Get("Authorization"); h != "Bearer sk-123" {
		t.Errorf("Authorization: %q", h)
	}
	if m.Dims() != 2 || m.Name() != e.URL+"/v1 nomic" {
		t.Errorf("%q with %d dimensions", m.Name(), m.Dims())
	}
}

func TestEmbedRemoteTriesAgain(t *testing.T) {
	hangUp := func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_ = c.Close()
		}
	}
	e := newEndpoint(t, says(503, "loading"), says(429, "", "Retry-After", "7"), hangUp)
	got, err := e.model(t).Embed(context.Background(), []string{"a"})
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	if diff := cmp.Diff([]time.Duration{500 * time.Millisecond, 7 * time.Second, 2 * time.Second}, e.waited); diff != "" {
		t.Errorf("waited (-want +got):\n%s", diff)
	}
	e = newEndpoint(t, says(500, "no"), says(500, "no"), says(500, "no"), says(500, "no"), says(500, "no"))
	if _, err := e.model(t).Embed(context.Background(), []string{"a"}); err == nil || len(e.asked) != 4 {
		t.Errorf("%d attempts, %v", len(e.asked), err)
	}
	e = newEndpoint(t, says(500, "no"))
	if _, err := e.model(t, func(o *RemoteOptions) { o.Retries = -1 }).Embed(context.Background(), []string{"a"}); err == nil || len(e.asked) != 1 {
		t.Errorf("%d attempts, %v", len(e.asked), err)
	}
}

func TestEmbedRemoteRefuses(t *testing.T) {
	key := func(o *RemoteOptions) { o.Key, o.KeyName = "sk-secret", "MY_KEY" }
	elsewhere := newEndpoint(t)
	for _, c := range []struct {
		answer http.HandlerFunc
		edit   func(*RemoteOptions)
		want   string // in the error
	}{
		{says(401, `{"error": {"message": "bad key sk-secret\u001b[2J"}}`), key, "401 Unauthorized: bad key …"},
		{says(401, ``), func(o *RemoteOptions) { o.KeyName = "MY_KEY" }, "no key was sent: is MY_KEY set?"},
		{says(404, `{"error": "model not found"}`), nil, "404 Not Found: model not found"},
		{says(400, strings.Repeat("x", 5000)), nil, "400 Bad Request: xxx"},
		{says(307, "", "Location", elsewhere.URL+"/v1/embeddings"), key, "redirects to " + strings.TrimPrefix(elsewhere.URL, "http://")},
		{says(200, `{"data": []}`), nil, "0 embeddings for 1 texts"},
		{says(200, `{}`), nil, "0 embeddings for 1 texts"},
		{says(200, `<html>`), nil, "reading its answer"},
		{says(200, `{"data": [{"index": 1, "embedding": [1]}]}`), nil, "text 1 of 1"},
		{says(200, `{"data": [{"index": 0}]}`), nil, "without embedding"},
		{says(200, `{"data": [{"index": 0, "embedding": []}]}`), nil, "0 dimensions"},
		{says(200, `{"data": [{"index": 0, "embedding": [1, 1e99]}]}`), nil, "reading its answer"},
		{says(200, strings.Repeat(" ", 3<<20)), nil, "more than"},
	} {
		e := newEndpoint(t, c.answer)
		if c.edit == nil {
			c.edit = func(*RemoteOptions) {}
		}
		_, err := e.model(t, c.edit).Embed(context.Background(), []string{"a"})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
			continue
		}
		if s := err.Error(); strings.Contains(s, "sk-secret") || strings.ContainsRune(s, '\x1b') || len(s) > 400 || !strings.Contains(s, "127.0.0.1") {
			t.Errorf("the error says %q", s)
		}
		if len(e.asked) != 1 {
			t.Errorf("%s: asked %d times", c.want, len(e.asked))
		}
	}
	if len(elsewhere.asked) != 0 {
		t.Error("texts went to another host")
	}
}

func TestEmbedRemoteTimeout(t *testing.T) {
	var asked atomic.Int32
	release := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer slow.Close()
	defer close(release)
	m, err := NewRemote(RemoteOptions{URL: slow.URL, Name: "m", Timeout: 20 * time.Millisecond, Retries: 1, Wait: func(context.Context, time.Duration) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Embed(context.Background(), []string{"a"}); err == nil || !strings.Contains(err.Error(), "no answer within 20ms") || asked.Load() != 2 {
		t.Errorf("%d attempts, %v", asked.Load(), err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	m.opt.Timeout = time.Minute
	m.opt.Wait = wait
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := m.Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestEmbedRemoteSettings(t *testing.T) {
	for _, c := range []struct {
		opt RemoteOptions
		ok  bool
	}{
		{RemoteOptions{URL: "http://localhost:11434/v1", Name: "m", Key: "k"}, true},
		{RemoteOptions{URL: "http://192.168.1.7/v1", Name: "m", Key: "k"}, true},
		{RemoteOptions{URL: "http://[::1]:8080/v1", Name: "m", Key: "k"}, true},
		{RemoteOptions{URL: "http://embed.example.com/v1", Name: "m"}, true},
		{RemoteOptions{URL: "https://embed.example.com/v1", Name: "m", Key: "k"}, true},
		{RemoteOptions{URL: "http://embed.example.com/v1", Name: "m", Key: "k"}, false}, // the key unencrypted
		{RemoteOptions{URL: "https://user:pass@example.com/v1", Name: "m"}, false},
		{RemoteOptions{URL: "file:///etc/passwd", Name: "m"}, false},
		{RemoteOptions{URL: "", Name: "m"}, false},
		{RemoteOptions{URL: "http://localhost/v1"}, false},
		{RemoteOptions{URL: "http://localhost/v1", Name: "m", Key: "a\nb"}, false},
	} {
		if _, err := NewRemote(c.opt); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.opt, err)
		}
	}
}
