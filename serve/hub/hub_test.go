package hub_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/gitops/mirror"
	core "github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/hub/files"
	"github.com/git-cortex/cortex/internal/forgetest"
	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/serve/hub"
)

func TestMain(m *testing.M) { os.Exit(testrun.InMemory(m).Run()) }

// forge lets those in who have the token, and knows events by their first byte.
type forge struct{}

func (forge) Readable(_ context.Context, c core.Credentials, ask []core.RepoRef) ([]core.RepoRef, string, error) {
	switch c.Secret {
	case "token":
		return ask, "", nil
	case "down":
		return nil, "", errors.New("connection refused")
	}
	return nil, "", core.ErrDenied
}

func (forge) Event(_ func(string) string, body, secret []byte) (core.RepoRef, error) {
	if !bytes.HasPrefix(body, secret) {
		return core.RepoRef{}, core.ErrForged
	}
	return core.RepoRef{Forge: "f", Name: "harbour"}, nil
}

// face is the face of a hub with one repository of one memory, and that memory.
func face(t *testing.T) (http.Handler, *core.Hub, *memory.Memory) {
	t.Helper()
	at := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	m := memory.New(memory.Gotcha, "The crane needs a key", "It hangs in the office.", at)
	m.Triggers = []string{"error: crane # is locked"}
	work, bare := forgetest.Work(t), forgetest.Bare(t, t.TempDir(), "harbour.git")
	forgetest.Commit(t, work, map[string]string{mirror.Folder + "/" + m.Path(): string(memory.Format(m))})
	branch := forgetest.Git(t, work, "symbolic-ref", "HEAD")
	forgetest.Git(t, work, "push", "-q", bare, "HEAD:"+branch)
	forgetest.Git(t, bare, "symbolic-ref", "HEAD", branch)

	mirrors, err := mirror.Open(t.Context(), t.TempDir(), mirror.Options{
		Environ: forgetest.Environ(t.TempDir()), Protocols: []string{"file"},
	})
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return at.AddDate(0, 0, 1) }
	copies := core.Mirrored{Mirror: mirrors}
	store, err := files.Open(t.TempDir(), copies.Read, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	forges := map[string]core.Forge{"f": forge{}}
	h, err := core.Open(store, copies, core.Options{Forges: forges, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Add(core.RepoRef{Forge: "f", Name: "harbour", URL: "file://" + filepath.ToSlash(bare)}); err != nil {
		t.Fatal(err)
	}
	secrets := map[string]string{"f": "signed"}
	return hub.Handler(hub.Options{Hub: h, Forges: forges, Secrets: secrets, Now: now}), h, m
}

// ask sends a request and returns its answer.
func ask(t *testing.T, h http.Handler, method, path, authorization, body string) (int, string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// TestAnswers: a caller searches and reads what the forge lets them read.
func TestAnswers(t *testing.T) {
	h, store, m := face(t)
	if code, body := ask(t, h, "GET", "/readyz", "", ""); code != http.StatusServiceUnavailable {
		t.Errorf("before the repository was read: %d %s", code, body)
	}
	if err := store.Sweep(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if code, body := ask(t, h, "GET", path, "", ""); code != http.StatusOK || body != "ok\n" {
			t.Errorf("%s: %d %q", path, code, body)
		}
	}
	code, body := ask(t, h, "POST", "/v1/search", "Bearer token", `{"query":"crane"}`)
	var found struct {
		Forge   string
		Total   int
		Results []struct {
			ID, Blob, Snippet string
			Places            []struct{ Repository string }
		}
	}
	if err := json.Unmarshal([]byte(body), &found); err != nil || code != http.StatusOK || found.Total != 1 {
		t.Fatalf("%d %v %s", code, err, body)
	}
	got := found.Results[0]
	if got.ID != string(m.ID) || len(got.Places) != 1 || got.Places[0].Repository != "harbour" || found.Forge != "f" {
		t.Errorf("%+v", found)
	}
	_, body = ask(t, h, "POST", "/v1/search", "Bearer token", `{"query":"crane is:stale"}`)
	if !strings.Contains(body, `"total":0`) || !strings.Contains(body, "a hub has no code") {
		t.Errorf("of what is outdated by code it says %s", body)
	}
	for _, name := range []string{"f/" + got.Blob, got.Blob, "f/" + got.ID, got.ID[:7]} {
		code, body = ask(t, h, "GET", "/v1/memory/"+name, "Bearer token", "")
		if code != http.StatusOK || !strings.Contains(body, m.Text) || strings.Contains(body, "snippet") {
			t.Errorf("%s: %d %s", name, code, body)
		}
	}
}

// TestWho: an error finds the memories of the same error, whatever its numbers are.
func TestWho(t *testing.T) {
	h, store, m := face(t)
	if err := store.Sweep(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"Error: crane 17 is locked": 1, "Error: crane 17 is open": 0, "Error: no key of the crane hangs here": 0,
	} {
		body, _ := json.Marshal(map[string]string{"error": text})
		code, said := ask(t, h, "POST", "/v1/who", "Bearer token", string(body))
		var met struct {
			Signatures []string
			MetIn      int `json:"met_in"`
			Results    []struct {
				ID, Text string
				Places   []struct{ Repository string }
			}
			Similar []struct{ ID string }
		}
		err := json.Unmarshal([]byte(said), &met)
		if err != nil || code != http.StatusOK || met.MetIn != want || len(met.Results) != want || len(met.Signatures) != 1 {
			t.Fatalf("%s: %d %v %s", text, code, err, said)
		}
		if want == 1 && (met.Results[0].ID != string(m.ID) || met.Results[0].Places[0].Repository != "harbour") {
			t.Errorf("%s: %s", text, said)
		}
		if by := strings.Contains(text, "key"); len(met.Similar) > 1 || by != (len(met.Similar) == 1) {
			t.Errorf("%s, by its words: %s", text, said)
		}
	}
}

// TestRefusals: whoever may not ask, or asks what cannot be answered, is told so by the status.
func TestRefusals(t *testing.T) {
	h, store, _ := face(t)
	if err := store.Sweep(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	none, long := strings.Repeat("0", 40), strings.Repeat(" ", 16<<10)+`{"query":"crane"}`
	for _, tt := range []struct {
		method, path, authorization, body string
		want                              int
	}{
		{"POST", "/v1/search", "", `{"query":"crane"}`, http.StatusUnauthorized},
		{"POST", "/v1/search", "Bearer other", `{"query":"crane"}`, http.StatusUnauthorized},
		{"POST", "/v1/search", "Bearer down", `{"query":"crane"}`, http.StatusServiceUnavailable},
		{"POST", "/v1/search", "Basic dXNlcjp0b2tlbg==", `{"query":"crane"}`, http.StatusOK}, // user:token
		{"POST", "/v1/search", "Bearer token", `crane`, http.StatusBadRequest},
		{"POST", "/v1/search", "Bearer token", long, http.StatusBadRequest},
		{"GET", "/v1/memory/f/" + none, "Bearer token", "", http.StatusNotFound},
		{"GET", "/v1/memory/" + none, "Bearer token", "", http.StatusNotFound},
		{"GET", "/v1/memory/0000000", "Bearer token", "", http.StatusNotFound},
		{"GET", "/v1/memory/" + none, "Bearer other", "", http.StatusUnauthorized},
		{"POST", "/v1/who", "Bearer token", `{"error":"17"}`, http.StatusBadRequest},
		{"POST", "/v1/who", "Bearer other", `{"error":"crane 17 is locked"}`, http.StatusUnauthorized},
		{"POST", "/v1/who", "Bearer token", "crane", http.StatusBadRequest},
		{"GET", "/v1/search", "Bearer token", "", http.StatusMethodNotAllowed},
		{"POST", "/hooks/f", "", "signed {}", http.StatusAccepted},
		{"POST", "/hooks/f", "", "forged {}", http.StatusUnauthorized},
		{"POST", "/hooks/other", "", "signed {}", http.StatusNotFound},
	} {
		if code, body := ask(t, h, tt.method, tt.path, tt.authorization, tt.body); code != tt.want {
			t.Errorf("%s %s as %q with %.20q: %d, want %d: %s",
				tt.method, tt.path, tt.authorization, tt.body, code, tt.want, body)
		}
	}
}

// TestUnknownKeys: each kind of request takes the keys that docs/hub.md names, and names those that it does not know.
func TestUnknownKeys(t *testing.T) {
	h, store, m := face(t)
	if err := store.Sweep(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	callers := 0
	answers := func(method, path, body string, want int, says ...string) {
		t.Helper()
		callers++ // another one each time, so that none asks too often
		caller := base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "user%d:token", callers))
		code, said := ask(t, h, method, path, "Basic "+caller, body)
		for _, word := range says {
			if !strings.Contains(said, word) {
				t.Errorf("%s %s with %s does not say %s: %s", method, path, body, word, said)
			}
		}
		if code != want {
			t.Errorf("%s %s with %s: %d, want %d: %s", method, path, body, code, want, said)
		}
	}
	for request, keys := range map[string]string{
		"POST /v1/search":                      `"query": "crane", "repos": ["harbour"], "limit": 3, "forge": "f"`,
		"POST /v1/who":                         `"error": "crane 17 is locked", "limit": 3, "forge": "f"`,
		"POST /v1/brief":                       `"names": ["crane"], "forge": "f"`,
		"GET /v1/stats?forge=f":                "",
		"GET /v1/contradictions?forge=f":       "",
		"GET /v1/memory/" + string(m.ID):       "",
		"GET /v1/memory/f/" + string(m.ID):     "",
		"GET /v1/memory/" + string(m.ID) + "?": "",
	} {
		method, path, _ := strings.Cut(request, " ")
		body := ""
		if keys != "" {
			body = "{" + keys + "}"
			answers(method, path, "{"+keys+`, "limits": 3, "Forge": "f"}`, http.StatusBadRequest, `\"limits\"`, `\"Forge\"`)
			answers(method, path, body+"{}", http.StatusBadRequest)
		}
		answers(method, path, body, http.StatusOK)
		mark := "?"
		if strings.Contains(path, mark) {
			mark = "&"
		}
		answers(method, path+mark+"limits=3", body, http.StatusBadRequest, `\"limits\"`, "address")
	}
}

// TestTooOften: a caller who asks without pause is told to wait, and others are not.
func TestTooOften(t *testing.T) {
	h, _, _ := face(t)
	last := 0
	for range 11 {
		last, _ = ask(t, h, "POST", "/v1/search", "Bearer token", "nothing")
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("the eleventh request of a second: %d", last)
	}
	if code, _ := ask(t, h, "POST", "/v1/search", "Bearer other", "nothing"); code != http.StatusBadRequest {
		t.Errorf("another caller: %d", code)
	}
}

// lossy is a store that cannot write the audit.
type lossy struct{ core.Store }

func (lossy) Record(context.Context, core.Asked) error { return errors.New("the disk is full") }

// TestNoAuditNoAnswer: what cannot be written down is not answered, and its caller learns nothing of why.
func TestNoAuditNoAnswer(t *testing.T) {
	forges := map[string]core.Forge{"f": forge{}}
	now := func() time.Time { return time.Date(2026, 11, 3, 10, 0, 0, 0, time.UTC) }
	store, err := files.Open(t.TempDir(), nil, now)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	h, err := core.Open(lossy{store}, nil, core.Options{Forges: forges, Now: now, Audit: core.Audit{Key: []byte("key")}})
	if err != nil {
		t.Fatal(err)
	}
	face := hub.Handler(hub.Options{Hub: h, Forges: forges, Now: now})
	code, body := ask(t, face, "POST", "/v1/search", "Bearer token", `{"query":"crane"}`)
	if code != http.StatusInternalServerError || strings.Contains(body, "disk") || strings.Contains(body, "results") {
		t.Errorf("%d %s", code, body)
	}
}
