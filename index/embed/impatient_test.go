package embed

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// noted is a health that notes what it is told.
type noted struct {
	mu      sync.Mutex
	said    []string
	resting error
}

func (n *noted) note(what string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.said = append(n.said, what)
}

func (n *noted) Resting(time.Duration) error { return n.resting }
func (n *noted) Failed(wait time.Duration, err error) {
	n.note("failed " + wait.String() + " " + err.Error())
}
func (n *noted) Answered(wait time.Duration) { n.note("answered " + wait.String()) }

// silent answers nobody.
func silent(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // else nothing tells that the caller left
	<-r.Context().Done()
}

// TestEmbedWithin: one attempt, that ends when the caller waits no longer, and
// none while the endpoint rests.
func TestEmbedWithin(t *testing.T) {
	for name, c := range map[string]struct {
		answer  http.HandlerFunc
		wait    time.Duration
		resting error
		want    string // in the error
		asked   int
		said    []string
	}{
		"answers":      {nil, time.Minute, nil, "", 1, []string{"answered 1m0s"}},
		"fails":        {says(503, "loading"), time.Minute, nil, "503 Service Unavailable: loading", 1, []string{"failed 0s 503 Service Unavailable: loading"}},
		"is no use":    {says(200, "<html>"), time.Minute, nil, "reading its answer", 1, []string{"failed 0s reading its answer: invalid character '<' looking for beginning of value"}},
		"rests":        {nil, time.Minute, errors.New("it rests"), "it rests", 0, nil},
		"says nothing": {silent, 30 * time.Millisecond, nil, "no answer within 30ms", 1, []string{"failed 30ms no answer within 30ms"}},
	} {
		t.Run(name, func(t *testing.T) {
			health := &noted{resting: c.resting}
			e := newEndpoint(t, c.answer)
			m := e.model(t, func(o *RemoteOptions) { o.Health = health })
			got, err := m.EmbedWithin(t.Context(), c.wait, []string{"a"})
			if c.want == "" && (err != nil || len(got) != 1) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, %v", got, err)
			}
			if c.wait == time.Minute && len(e.asked) != c.asked || len(e.waited) != 0 || !slices.Equal(health.said, c.said) {
				t.Errorf("asked %d times, paused %v, noted %q", len(e.asked), e.waited, health.said)
			}
		})
	}
}

// TestEmbedWithinStuck: not even a connection that takes no heed of the end of a
// context, as looking up a name may, keeps the caller.
func TestEmbedWithinStuck(t *testing.T) {
	stuck := make(chan struct{})
	t.Cleanup(func() { close(stuck) })
	health := &noted{}
	m, err := NewRemote(RemoteOptions{URL: "http://localhost:1", Name: "m", Health: health})
	if err != nil {
		t.Fatal(err)
	}
	m.client.Transport = &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		<-stuck
		return nil, errors.New("too late")
	}}
	if _, err := m.EmbedWithin(t.Context(), 10*time.Millisecond, []string{"a"}); err == nil || !strings.Contains(err.Error(), "no answer within 10ms") {
		t.Error(err)
	}
	if len(health.said) != 1 {
		t.Errorf("noted %q", health.said)
	}
}

// TestEmbedWithinLeft: a caller that leaves says nothing of the endpoint.
func TestEmbedWithinLeft(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(silent))
	defer server.Close()
	health := &noted{}
	m, err := NewRemote(RemoteOptions{URL: server.URL, Name: "m", Health: health})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := m.EmbedWithin(ctx, time.Minute, []string{"a"}); !errors.Is(err, context.Canceled) || len(health.said) != 0 {
		t.Errorf("%v, noted %q", err, health.said)
	}
}

// TestEmbedTellsHealth: one who waits as long as it takes is noted as well.
func TestEmbedTellsHealth(t *testing.T) {
	health := &noted{resting: errors.New("it rests")}
	e := newEndpoint(t, says(404, "no such model"))
	m := e.model(t, func(o *RemoteOptions) { o.Health = health })
	if _, err := m.Embed(t.Context(), []string{"a"}); err == nil {
		t.Error("no error")
	}
	if _, err := m.Embed(t.Context(), []string{"a"}); err != nil {
		t.Error(err)
	}
	if want := []string{"failed 0s 404 Not Found: no such model", "answered 0s"}; !slices.Equal(health.said, want) {
		t.Errorf("noted %q", health.said)
	}
}
