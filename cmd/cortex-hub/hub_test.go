package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops/mirror"
	"github.com/git-cortex/cortex/internal/forgetest"
	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
	face "github.com/git-cortex/cortex/serve/hub"
)

func TestMain(m *testing.M) { os.Exit(testrun.InMemory(m).Run()) }

// host serves git repositories by HTTP, to those who may read each.
type host struct {
	*httptest.Server
	dir   string
	reads map[string][]string // names by user
}

func newHost(t *testing.T) *host {
	t.Helper()
	h := &host{dir: t.TempDir(), reads: map[string][]string{
		"hub": {"web", "api"}, "alice": {"web", "api"}, "bob": {"web"}, "eve": {},
	}}
	h.Server = forgetest.Serve(t, h.dir, h.refused)
	return h
}

// refused answers those who may not read what they ask for.
func (h *host) refused(w http.ResponseWriter, r *http.Request) bool {
	user, password, _ := r.BasicAuth()
	names, known := h.reads[user]
	if !known || password != "pw-"+user {
		w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
		w.WriteHeader(http.StatusUnauthorized)
		return true
	}
	if !slices.Contains(names, strings.TrimSuffix(strings.Split(r.URL.Path, "/")[1], ".git")) {
		w.WriteHeader(http.StatusNotFound)
		return true
	}
	return false
}

// push makes memories with these titles, and nothing else, what a repository holds.
func (h *host) push(t *testing.T, name string, titles ...string) {
	t.Helper()
	var list []*memory.Memory
	for _, title := range titles {
		at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
		list = append(list, memory.New(memory.Gotcha, title, "What was seen: "+title+".", at))
	}
	h.pushAll(t, name, list...)
}

// pushAll makes memories, and nothing else, what a repository holds.
func (h *host) pushAll(t *testing.T, name string, list ...*memory.Memory) {
	t.Helper()
	files := map[string]string{}
	for _, m := range list {
		files[mirror.Folder+"/"+string(m.ID)+".md"] = string(memory.Format(m))
	}
	work, bare := forgetest.Work(t), filepath.Join(h.dir, name+".git")
	forgetest.Commit(t, work, files)
	if _, err := os.Stat(bare); err != nil {
		forgetest.Bare(t, h.dir, name+".git")
	}
	forgetest.Git(t, work, "push", "-q", "-f", bare, "main")
}

// scene is a hub over two repositories, with what its commands wrote.
type scene struct {
	*program
	host  *host
	wrote bytes.Buffer
	clock time.Time
	web   *httptest.Server
	hub   *opened
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{host: newHost(t), clock: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	s.host.push(t, "web", "the proxy drops large uploads", "tests need a running queue")
	s.host.push(t, "api", "the proxy drops large uploads", "the proxy caches errors")
	s.program = &program{
		out: &s.wrote, err: &s.wrote, environ: os.Environ(), store: t.TempDir(), now: func() time.Time { return s.clock },
	}
	s.file(t, "hub.json", `{"protocols": ["http"], "forges": [
		{"name": "test", "secret": "hook.secret", "user": "hub", "token": "hub.token"}]}`)
	s.file(t, "hook.secret", "s3cret\n")
	s.file(t, "hub.token", "pw-hub\n")
	for _, name := range []string{"web", "api"} {
		s.do(t, 0, "add", "test", name, s.host.URL+"/"+name+".git")
	}
	s.do(t, 0, "sweep")
	o, err := s.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.store.Close() })
	s.hub = o
	s.web = httptest.NewServer(face.Handler(face.Options{Hub: o.Hub, Forges: o.forges, Secrets: o.secrets, Now: o.now}))
	t.Cleanup(s.web.Close)
	return s
}

func (s *scene) file(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.store, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// reopen has the hub know a setting more.
func (s *scene) reopen(t *testing.T, setting string) {
	t.Helper()
	s.file(t, "hub.json", `{`+setting+`, "protocols": ["http"], "forges": [
		{"name": "test", "secret": "hook.secret", "user": "hub", "token": "hub.token"}]}`)
	o, err := s.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.store.Close() })
	s.hub = o
	s.web.Config.Handler = face.Handler(face.Options{Hub: o.Hub, Forges: o.forges, Secrets: o.secrets, Now: o.now})
}

// logIn has the commands of the program ask the hub as a user.
func (s *scene) logIn(t *testing.T, user string) {
	t.Helper()
	keep := filepath.ToSlash(filepath.Join(s.store, "passwords"))
	s.file(t, "gitconfig", fmt.Sprintf("[cortex \"hub\"]\n\turl = %s\n[credential]\n\thelper = store --file=%s\n", s.web.URL, keep))
	s.file(t, "passwords", strings.Replace(s.web.URL, "://", "://"+user+":pw-"+user+"@", 1)+"\n")
	s.environ = append(forgetest.Environ(t.TempDir()), "GIT_CONFIG_GLOBAL="+filepath.Join(s.store, "gitconfig"))
}

func (s *scene) do(t *testing.T, want int, args ...string) {
	t.Helper()
	if got := s.run(t.Context(), args); got != want {
		t.Fatalf("cortex-hub %v: exit code %d, want %d\n%s", args, got, want, s.wrote.String())
	}
}

// call sends a request and returns the code and body of its answer.
func (s *scene) call(t *testing.T, method, path, user, body string, headers ...string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, s.web.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if user != "" {
		req.SetBasicAuth(user, "pw-"+user)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(data)
}

type result struct {
	Memories int
	Results  []struct {
		Title  string
		Blob   string
		Places []struct{ Repository, Path, Commit string }
	}
}

func (s *scene) search(t *testing.T, user, query string) (found []string, r result) {
	t.Helper()
	code, body := s.call(t, "POST", "/v1/search", user, fmt.Sprintf(`{"query": %q}`, query))
	if code != http.StatusOK {
		t.Fatalf("%s: %d %s", user, code, body)
	}
	if err := json.Unmarshal([]byte(body), &r); err != nil {
		t.Fatal(err)
	}
	for _, hit := range r.Results {
		line := hit.Title
		for _, p := range hit.Places {
			line += " @" + p.Repository
		}
		found = append(found, line)
	}
	return found, r
}

func TestTwoCallers(t *testing.T) {
	s := newScene(t)
	got, _ := s.search(t, "alice", "uploads")
	if diff := cmp.Diff([]string{"the proxy drops large uploads @api @web"}, got); diff != "" {
		t.Error(diff)
	}
	got, r := s.search(t, "bob", "proxy")
	if diff := cmp.Diff([]string{"the proxy drops large uploads @web"}, got); diff != "" || r.Memories != 2 {
		t.Error(diff, r.Memories)
	}
	if code, _ := s.call(t, "POST", "/v1/search", "mallory", `{"query": "proxy"}`); code != http.StatusUnauthorized {
		t.Errorf("a stranger is told %d", code)
	}
	if code, _ := s.call(t, "POST", "/v1/search", "", `{"query": "proxy"}`); code != http.StatusUnauthorized {
		t.Errorf("nobody is told %d", code)
	}
}

// TestAbsentAndNotAllowed: what is not there and what is not allowed are one answer.
func TestAbsentAndNotAllowed(t *testing.T) {
	s := newScene(t)
	_, r := s.search(t, "alice", "caches")
	path := "/v1/memory/test/" + r.Results[0].Blob
	if code, body := s.call(t, "GET", path, "alice", ""); code != http.StatusOK || !strings.Contains(body, "caches errors") {
		t.Errorf("alice gets %d %s", code, body)
	}
	code, body := s.call(t, "GET", path, "bob", "")
	absent, none := s.call(t, "GET", "/v1/memory/test/"+strings.Repeat("0", 40), "bob", "")
	if code != http.StatusNotFound || absent != code || none != body {
		t.Errorf("not allowed: %d %s, absent: %d %s", code, body, absent, none)
	}
}

func TestEvent(t *testing.T) {
	s := newScene(t)
	s.host.push(t, "web", "certificates expire in May")
	body := `{"repository": {"name": "web"}}`
	sum := hmac.New(sha256.New, []byte("s3cret"))
	sum.Write([]byte(body))
	signed := "sha256=" + hex.EncodeToString(sum.Sum(nil))
	forged := strings.Replace(signed, signed[len(signed)-1:], "g", 1)
	if code, _ := s.call(t, "POST", "/hooks/test", "", body, "X-Cortex-Signature", forged); code != http.StatusUnauthorized {
		t.Errorf("a forged event is told %d", code)
	}
	if code, _ := s.call(t, "POST", "/hooks/none", "", body, "X-Cortex-Signature", signed); code != http.StatusNotFound {
		t.Errorf("an event of no forge is told %d", code)
	}
	for range 3 { // an event that is sent again is the same look
		code, _ := s.call(t, "POST", "/hooks/test", "", body, "X-Cortex-Signature", signed)
		if code != http.StatusAccepted {
			t.Errorf("an event is told %d", code)
		}
	}
	if err := s.hub.Sweep(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	got, _ := s.search(t, "bob", "certificates uploads")
	if diff := cmp.Diff([]string{"certificates expire in May @web"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestRevoked: who may not read a repository any more finds nothing of it five minutes later.
func TestRevoked(t *testing.T) {
	s := newScene(t)
	s.search(t, "bob", "uploads")
	s.host.reads["bob"] = nil
	s.clock = s.clock.Add(5 * time.Minute)
	if got, _ := s.search(t, "bob", "uploads"); got != nil {
		t.Errorf("bob finds %q", got)
	}
	s.host.Close()
	s.clock = s.clock.Add(5 * time.Minute)
	if code, body := s.call(t, "POST", "/v1/search", "alice", `{"query": "uploads"}`); code != http.StatusServiceUnavailable {
		t.Errorf("with the forge down: %d %s", code, body)
	}
}

func TestTooOften(t *testing.T) {
	s := newScene(t)
	codes := map[int]int{}
	for range perSecond + 2 {
		code, _ := s.call(t, "POST", "/v1/search", "alice", `{"query": "uploads"}`)
		codes[code]++
	}
	if diff := cmp.Diff(map[int]int{http.StatusOK: perSecond, http.StatusTooManyRequests: 2}, codes); diff != "" {
		t.Error(diff)
	}
}

const perSecond = 10

func TestCommands(t *testing.T) {
	s := newScene(t)
	s.do(t, 0, "verify")
	s.wrote.Reset()
	s.do(t, 0, "status")
	if !strings.Contains(s.wrote.String(), "ready    web ") || !strings.Contains(s.wrote.String(), "2 memories") {
		t.Errorf("status: %s", s.wrote.String())
	}
	s.do(t, 0, "rebuild", "web")
	s.do(t, 0, "sweep")
	s.do(t, 0, "verify")
	s.do(t, 1, "rebuild", "none")
	s.do(t, 1, "add", "test", "x", "ext::sh -c id")
	s.do(t, 1, "add", "none", "x", s.host.URL)
	s.do(t, 2)
	s.do(t, 2, "sweep", "--some")
	s.do(t, 0, "sweep", "--all")
	if got, _ := s.search(t, "bob", "uploads"); len(got) != 1 {
		t.Errorf("after a rebuild bob finds %q", got)
	}
}

func TestLoopback(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1:1": true, "localhost:1": true, "[::1]:1": true, ":1": false, "0.0.0.0:1": false, "10.0.0.1:1": false, "": false,
	} {
		if got := isLoopback(address); got != want {
			t.Errorf("%q: %v", address, got)
		}
	}
	s := &opened{program: &program{}, settings: settings{Listen: "0.0.0.0:0"}}
	if err := serve(t.Context(), s, nil); err == nil {
		t.Error("tokens would come in without TLS")
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"-h"}, {"--help"}} {
		var out, failed bytes.Buffer
		p := &program{out: &out, err: &failed, store: t.TempDir(), now: time.Now}
		code := p.run(t.Context(), args)
		if code != 0 || !strings.HasPrefix(out.String(), rootLong) || failed.Len() > 0 {
			t.Errorf("cortex-hub %v: exit code %d, wrote %q and %q", args, code, &out, &failed)
		}
	}
}

// TestMistakes: every mistake is told with something to do about it, as text and as JSON.
func TestMistakes(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
		hint string
	}{
		{[]string{}, 2, "cortex-hub help"},
		{[]string{"stauts"}, 2, "did you mean: cortex-hub status"},
		{[]string{"status", "--nothing"}, 2, "cortex-hub status --help"},
		{[]string{"add", "git"}, 2, "cortex-hub add FORGE NAME URL"},
		{[]string{"status"}, 1, "hub.json"},
		{[]string{"login", "http://hub.example.org"}, 1, "cortex hub login https://HUB"},
	} {
		var out, failed bytes.Buffer
		p := &program{out: &out, err: &failed, environ: os.Environ(), store: filepath.Join(t.TempDir(), "none"), now: time.Now}
		if code := p.run(t.Context(), tt.args); code != tt.code || !strings.Contains(failed.String(), "hint: ") ||
			!strings.Contains(failed.String(), tt.hint) || out.Len() > 0 {
			t.Errorf("cortex-hub %v: exit code %d, wrote %q and %q", tt.args, code, &out, &failed)
		}
		failed.Reset()
		code := p.run(t.Context(), append([]string{"--json"}, tt.args...))
		var fault struct{ Error, Hint, Kind string }
		if err := json.Unmarshal(failed.Bytes(), &fault); err != nil || code != tt.code || fault.Hint == "" || fault.Kind == "" {
			t.Errorf("cortex-hub --json %v: exit code %d, %v, wrote %q", tt.args, code, err, &failed)
		}
	}
}

// TestStatusJSON: what a program reads of status is what a person does.
func TestStatusJSON(t *testing.T) {
	s := newScene(t)
	s.wrote.Reset()
	s.do(t, 0, "status", "--json")
	var got standing
	if err := json.Unmarshal(s.wrote.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Repositories) != 2 || got.Memories != 4 || got.States["ready"] != 2 || got.Repositories[1].Name != "web" {
		t.Errorf("status is %+v", got)
	}
}

// TestVerifyNamesDifferences: what differs from git is named, and rebuild mends it.
func TestVerifyNamesDifferences(t *testing.T) {
	s := newScene(t)
	var file string
	for _, r := range s.hub.Repos() {
		if r.Name == "web" {
			file = filepath.Join(s.store, "repositories", r.Key()+".json")
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	broken := regexp.MustCompile(`"blob":"[0-9a-f]{4}`).ReplaceAll(data, []byte(`"blob":"0000`))
	if err := os.WriteFile(file, broken, 0o600); err != nil {
		t.Fatal(err)
	}
	s.wrote.Reset()
	s.do(t, 3, "verify")
	if said := s.wrote.String(); strings.Count(said, "web: .cortex/memories/") != 2 ||
		!strings.Contains(said, "2 differences: cortex-hub rebuild web") {
		t.Errorf("verify says %s", said)
	}
	s.do(t, 0, "verify", "api")
	s.do(t, 3, "verify", "--json", "web")
	s.do(t, 0, "rebuild", "web")
	s.do(t, 0, "sweep")
	s.do(t, 0, "verify")
}

// TestRemove: a repository that is taken out is in no answer, and can be added again.
func TestRemove(t *testing.T) {
	s := newScene(t)
	s.do(t, 0, "remove", "web")
	if err := s.hub.Sweep(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if got, _ := s.search(t, "bob", "uploads"); got != nil {
		t.Errorf("bob finds %q", got)
	}
	mirrors, err := filepath.Glob(filepath.Join(s.store, "mirrors", "*.git"))
	if err != nil || len(mirrors) != 1 {
		t.Errorf("mirrors: %q, %v", mirrors, err)
	}
	s.do(t, 1, "remove", "web")
	s.do(t, 0, "add", "test", "web", s.host.URL+"/web.git")
	if err := s.hub.Sweep(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if got, _ := s.search(t, "bob", "uploads"); len(got) != 1 {
		t.Errorf("bob finds %q", got)
	}
}

// TestCompletion: a shell offers names of forges and repositories.
func TestCompletion(t *testing.T) {
	s := newScene(t)
	for _, tt := range [][2]string{{"add", "test"}, {"rebuild", "api"}, {"verify", "web"}} {
		s.wrote.Reset()
		s.do(t, 0, "__complete", tt[0], "")
		if !strings.Contains(s.wrote.String(), tt[1]+"\n") {
			t.Errorf("%s is completed by %s", tt[0], s.wrote.String())
		}
	}
}

// TestServersActOnNoTerminal: what a server says of a failed fetch is one line without controls.
func TestServersActOnNoTerminal(t *testing.T) {
	s := newScene(t)
	for _, serving := range []bool{false, true} {
		s.wrote.Reset()
		s.serving = serving
		s.logger().Warn("fetching", "error", errors.New("\x1b[2Jfoo\r\nok  web\u009b"), "said", "\x1b[1m")
		if said := s.wrote.String(); strings.ContainsAny(said, "\x1b\r\u009b") || strings.Count(said, "\n") != 1 ||
			strings.Contains(said, `\u001b`) || json.Valid([]byte(said)) != serving {
			t.Errorf("the log holds %q", said)
		}
	}
}

// TestServe: a hub that serves takes in what another process adds, and ends when it is told to.
func TestServe(t *testing.T) {
	s := newScene(t)
	s.file(t, "hub.json", `{"listen": "127.0.0.1:0", "protocols": ["http"], "forges": [
		{"name": "test", "user": "hub", "token": "hub.token"}]}`)
	s.host.push(t, "more", "certificates expire in May")
	s.host.reads["hub"] = append(s.host.reads["hub"], "more")
	s.host.reads["alice"] = append(s.host.reads["alice"], "more")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	read, write := io.Pipe()
	p := &program{out: write, err: io.Discard, environ: os.Environ(), store: s.store, now: time.Now}
	ended := make(chan int)
	go func() { ended <- p.run(ctx, []string{"serve"}) }()
	line, err := bufio.NewReader(read).ReadString('\n')
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !ok {
		t.Fatalf("serve says %q, %v", line, err)
	}
	s.web.URL = "http://" + address
	s.do(t, 0, "add", "test", "more", s.host.URL+"/more.git")
	body := ""
	for range 300 {
		_, body = s.call(t, "POST", "/v1/search", "alice", `{"query": "certificates"}`)
		if strings.Contains(body, "expire in May") {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	if !strings.Contains(body, "expire in May") {
		t.Errorf("alice is told %s", body)
	}
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("serve ends with %d", code)
	}
}
