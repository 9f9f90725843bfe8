package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/hub"
	face "github.com/git-cortex/cortex/serve/hub"
)

// TestPurgeCommand: a certificate is printed and kept, and nothing goes without --yes.
func TestPurgeCommand(t *testing.T) {
	s := newScene(t)
	s.do(t, 2, "purge")
	s.do(t, 2, "purge", "--author", "ann", "--session", "x")
	s.do(t, 0, "purge", "--author", "nobody") // who may commit something later
	s.do(t, 1, "purge", "--memory", "short")
	s.in = strings.NewReader("drops large uploads\n")
	s.wrote.Reset()
	s.do(t, 0, "purge", "--text", "-")
	if said := s.wrote.String(); !strings.Contains(said, "files that would go: 2") || !strings.Contains(said, "--yes") {
		t.Errorf("purge without --yes says %s", said)
	}
	s.in = strings.NewReader("drops large uploads\n")
	s.wrote.Reset()
	s.do(t, 0, "purge", "--text", "-", "--yes", "--json", "--why", "a leak", "--by", "op")
	var cert hub.Certificate
	if err := json.Unmarshal(s.wrote.Bytes(), &cert); err != nil || len(cert.Files) != 2 || cert.Why != "a leak" {
		t.Fatalf("%v, %+v", err, cert)
	}
	kept, err := os.ReadFile(filepath.Join(s.store, "certificates", cert.ID+".json"))
	if err != nil || !strings.Contains(string(kept), cert.Files[0].Blob) || strings.Contains(string(kept), "uploads") {
		t.Errorf("kept: %s, %v", kept, err)
	}
	if err := s.hub.Sweep(t.Context(), false); err != nil { // as a server does each second
		t.Fatal(err)
	}
	if got, _ := s.search(t, "alice", "uploads"); got != nil {
		t.Errorf("alice finds %q", got)
	}
	s.do(t, 0, "verify")
	s.wrote.Reset()
	s.do(t, 0, "purge", "--author", "ann@example.org", "--yes")
	for _, want := range []string{"was purged on 21 November 2026", "What still holds it", "seen   api: commit "} {
		if !strings.Contains(s.wrote.String(), want) {
			t.Errorf("the certificate lacks %q:\n%s", want, s.wrote.String())
		}
	}
	s.private(t)
}

// private reports what others of the machine could read in a folder that everybody may enter, but for what an operator
// has put there.
func (s *scene) private(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("files have no such permissions there")
	}
	err := filepath.WalkDir(s.store, func(path string, d fs.DirEntry, err error) error {
		info, failed := os.Stat(path)
		switch {
		case err != nil || failed != nil || path == s.store || filepath.Base(path) == "hub.json":
			return errors.Join(err, failed)
		case d.IsDir() && info.Mode().Perm()&0o077 == 0:
			return fs.SkipDir
		case !d.IsDir() && info.Mode().Perm()&0o077 != 0:
			t.Errorf("others may read %s: %v", path, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestAudit: each answer is a line without the text of its question, which is found by asking for it.
func TestAudit(t *testing.T) {
	s := newScene(t)
	s.search(t, "alice", "large uploads")
	_, r := s.search(t, "bob", "queue")
	s.call(t, "GET", "/v1/memory/test/"+r.Results[0].Blob, "bob", "")
	s.call(t, "POST", "/v1/search", "mallory", `{"query": "proxy"}`) // a stranger
	s.wrote.Reset()
	s.do(t, 0, "audit", "--json")
	var got struct{ Requests []hub.Asked }
	if err := json.Unmarshal(s.wrote.Bytes(), &got); err != nil || len(got.Requests) != 3 {
		t.Fatalf("%v: %s", err, s.wrote.String())
	}
	for _, line := range got.Requests {
		if line.Forge != "test" || line.Caller == "" || line.Query == "" || line.Status != 200 || line.Repositories == 0 {
			t.Errorf("%+v", line)
		}
	}
	for flag, want := range map[string]int{"--user=bob": 2, "--query=large uploads": 1, "--query=small": 0, "--since=2026-11-22": 0} {
		s.wrote.Reset()
		s.do(t, 0, "audit", "--json", flag)
		if err := json.Unmarshal(s.wrote.Bytes(), &got); err != nil || len(got.Requests) != want {
			t.Errorf("%s: %v %s", flag, err, s.wrote.String())
		}
	}
	s.do(t, 2, "audit", "--since", "yesterday")
	if text := s.kept(t, "uploads", "pw-alice", "pw-bob"); text != "" {
		t.Errorf("the folder holds %s", text)
	}
}

// kept is the first of some texts that a file of the hub's folder holds, but for its mirrors and index.
func (s *scene) kept(t *testing.T, texts ...string) (found string) {
	t.Helper()
	err := filepath.WalkDir(s.store, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != s.store && (d.Name() == "mirrors" || d.Name() == "index") {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		for _, text := range texts {
			if bytes.Contains(data, []byte(text)) {
				found = text + " in " + path
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestTokensLiveForOneRequest: what a caller presents stands in no file of the hub and no line of its log.
func TestTokensLiveForOneRequest(t *testing.T) {
	s := newScene(t)
	s.search(t, "alice", "uploads")
	s.call(t, "POST", "/v1/search", "mallory", `{"query": "proxy"}`)
	s.host.Close()
	s.clock = s.clock.Add(5 * time.Minute)
	s.call(t, "POST", "/v1/search", "alice", `{"query": "proxy"}`) // the forge is down: the log says so
	if err := s.hub.Sweep(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if text := s.kept(t, "pw-alice", "pw-mallory"); text != "" {
		t.Errorf("the folder holds %s", text)
	}
	if err := s.hub.store.Close(); err != nil {
		t.Fatal(err)
	}
	top := s.store
	for _, below := range []string{"mirrors", "index"} {
		s.store = filepath.Join(top, below)
		if text := s.kept(t, "pw-alice", "pw-mallory", "pw-hub"); text != "" {
			t.Errorf("the folder holds %s", text)
		}
	}
	if said := s.wrote.String(); strings.Contains(said, "pw-") || !strings.Contains(said, "level=WARN") {
		t.Errorf("the log says %s", said)
	}
}

// TestMetrics: figures are for who has the token, and the format ends as it must.
func TestMetrics(t *testing.T) {
	s := newScene(t)
	if code, _ := s.call(t, "GET", "/metrics", "alice", ""); code != http.StatusNotFound {
		t.Errorf("without a token there are metrics: %d", code)
	}
	s.web.Config.Handler = face.Handler(face.Options{
		Hub: s.hub.Hub, Forges: s.hub.forges, Metrics: "measure", Now: s.hub.now,
	})
	s.search(t, "alice", "uploads")
	if code, _ := s.call(t, "GET", "/metrics", "alice", ""); code != http.StatusUnauthorized {
		t.Errorf("a caller is told %d", code)
	}
	code, body := s.call(t, "GET", "/metrics", "", "", "Authorization", "Bearer measure")
	for _, want := range []string{
		"cortex_hub_request_seconds_count{request=\"POST /v1/search\",code=\"200\"} 1\n",
		"# TYPE cortex_hub_repositories gauge\n", "cortex_hub_repositories{state=\"ready\"} 2\n",
		"cortex_hub_memories 4\n", "cortex_hub_jobs_total 0\n", "cortex_hub_failed_jobs_total 0\n",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%d: the metrics lack %q:\n%s", code, want, body)
		}
	}
	if !strings.HasSuffix(body, "\n# EOF\n") || strings.Contains(body, "uploads") {
		t.Errorf("the metrics are\n%s", body)
	}
}
