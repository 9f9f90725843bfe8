package mirror

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-cortex/cortex/internal/forgetest"
	"github.com/git-cortex/cortex/internal/testrun"

	"github.com/google/go-cmp/cmp"
)

func TestMain(m *testing.M) { os.Exit(testrun.InMemory(m).Run()) }

func open(t *testing.T, o Options) *Mirror {
	t.Helper()
	if o.Protocols == nil {
		o.Protocols = []string{"file", "http"}
	}
	o.Environ = forgetest.Environ(t.TempDir())
	m, err := Open(t.Context(), t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// upstream is a bare repository and a clone that pushes to it.
type upstream struct{ bare, work, url string }

func newUpstream(t *testing.T) upstream {
	t.Helper()
	root := t.TempDir()
	u := upstream{bare: forgetest.Bare(t, root, "one.git"), work: forgetest.Work(t)}
	u.url = "file://" + filepath.ToSlash(u.bare)
	return u
}

func (u upstream) push(t *testing.T, files map[string]string) string {
	t.Helper()
	oid := forgetest.Commit(t, u.work, files)
	forgetest.Git(t, u.work, "push", "-q", "-f", u.bare, "HEAD")
	return oid
}

func add(t *testing.T, m *Mirror, url string) string {
	t.Helper()
	repo, err := m.Add(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

func fetch(t *testing.T, m *Mirror, repo string) Tip {
	t.Helper()
	tip, err := m.Fetch(t.Context(), repo)
	if err != nil {
		t.Fatal(err)
	}
	return tip
}

func read(t *testing.T, m *Mirror, repo string, changes Changes) map[string]string {
	t.Helper()
	var oids, paths []string
	for _, c := range changes.Files {
		if c.New != "" {
			oids, paths = append(oids, c.New), append(paths, c.Path)
		}
	}
	texts := map[string]string{}
	err := m.Read(t.Context(), repo, oids, func(b Blob) error {
		texts[paths[len(texts)]] = string(b.Data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

func changes(t *testing.T, m *Mirror, repo, from, to string) Changes {
	t.Helper()
	c, err := m.Changes(t.Context(), repo, from, to)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// kinds are the paths that changed, each after +, - or ~.
func kinds(c Changes) []string {
	var list []string
	for _, f := range c.Files {
		sign := "~"
		if f.Old == "" {
			sign = "+"
		} else if f.New == "" {
			sign = "-"
		}
		list = append(list, sign+strings.TrimPrefix(f.Path, Folder+"/"))
	}
	return list
}

func TestFetchChangesRead(t *testing.T) {
	u, m := newUpstream(t), open(t, Options{})
	first := u.push(t, map[string]string{
		Folder + "/a.md": "first a", Folder + "/x/b.md": "b", Folder + "/note.txt": "no memory", "code.go": "package code",
	})
	forgetest.Git(t, u.work, "push", "-q", u.bare, "HEAD:refs/cortex/journal", "HEAD:refs/heads/other", "HEAD:refs/tags/v1")
	repo := add(t, m, u.url)
	tip := fetch(t, m, repo)
	if tip != (Tip{Ref: "refs/heads/main", OID: first}) {
		t.Errorf("the tip is %v", tip)
	}
	if refs := forgetest.Git(t, m.path(repo), "for-each-ref", "--format=%(refname)"); refs != tipRef {
		t.Errorf("fetched %q, want the default branch alone", refs)
	}
	all := changes(t, m, repo, "", tip.OID)
	if diff := cmp.Diff([]string{"+a.md", "+x/b.md"}, kinds(all)); diff != "" || !all.Full {
		t.Errorf("first: %v %s", all.Full, diff)
	}
	if missing, err := m.missing(t.Context(), repo, []string{all.Files[0].New}); err != nil || len(missing) != 1 {
		t.Errorf("blobs were fetched before they were read: %v", err)
	}
	want := map[string]string{Folder + "/a.md": "first a", Folder + "/x/b.md": "b"}
	if diff := cmp.Diff(want, read(t, m, repo, all)); diff != "" {
		t.Error(diff)
	}

	u.push(t, map[string]string{Folder + "/a.md": "second a", Folder + "/x/b.md": "", Folder + "/c.md": "c"})
	second := fetch(t, m, repo)
	since := changes(t, m, repo, tip.OID, second.OID)
	if diff := cmp.Diff([]string{"~a.md", "+c.md", "-x/b.md"}, kinds(since)); diff != "" || since.Full {
		t.Errorf("second: %v %s", since.Full, diff)
	}
	want = map[string]string{Folder + "/a.md": "second a", Folder + "/c.md": "c"}
	if diff := cmp.Diff(want, read(t, m, repo, since)); diff != "" {
		t.Error(diff)
	}
	if again := changes(t, m, repo, second.OID, fetch(t, m, repo).OID); len(again.Files) != 0 {
		t.Errorf("a fetch of nothing new changed %v", kinds(again))
	}
}

// TestForcePush: the tree of the last commit stays, even when the remote has pruned it; one
// that was not kept is compared in full.
func TestForcePush(t *testing.T) {
	for _, kept := range []bool{true, false} {
		u, m := newUpstream(t), open(t, Options{})
		u.push(t, map[string]string{Folder + "/a.md": "a", Folder + "/b.md": "b"})
		repo := add(t, m, u.url)
		old := fetch(t, m, repo).OID
		if kept {
			if err := m.MoveLast(t.Context(), repo, old); err != nil {
				t.Fatal(err)
			}
		}
		forgetest.Git(t, u.work, "update-ref", "-d", "HEAD") // the next commit has no parent
		u.push(t, map[string]string{Folder + "/a.md": "", Folder + "/c.md": "c"})
		forgetest.Git(t, u.bare, "reflog", "expire", "--expire=now", "--all")
		forgetest.Git(t, u.bare, "gc", "-q", "--prune=now")
		if !kept { // a mirror made anew
			if err := m.Remove(t.Context(), repo); err != nil {
				t.Fatal(err)
			}
			add(t, m, u.url)
		}
		now := fetch(t, m, repo).OID
		got, want := changes(t, m, repo, old, now), []string{"-a.md", "+c.md"}
		if !kept {
			want = []string{"+b.md", "+c.md"}
		}
		if diff := cmp.Diff(want, kinds(got)); diff != "" || got.Full == kept {
			t.Errorf("kept %v: full %v\n%s", kept, got.Full, diff)
		}
		if last, err := m.ref(t.Context(), repo, lastRef); err != nil || (last == old) != kept {
			t.Errorf("kept %v: the last commit is %q, %v", kept, last, err)
		}
	}
}

func TestDefaultBranchRenamed(t *testing.T) {
	u, m := newUpstream(t), open(t, Options{})
	u.push(t, map[string]string{Folder + "/a.md": "a"})
	repo := add(t, m, u.url)
	old := fetch(t, m, repo)
	forgetest.Git(t, u.work, "checkout", "-q", "-b", "trunk")
	u.push(t, map[string]string{Folder + "/a.md": "other"})
	forgetest.Git(t, u.bare, "symbolic-ref", "HEAD", "refs/heads/trunk")
	tip := fetch(t, m, repo)
	if diff := cmp.Diff([]string{"~a.md"}, kinds(changes(t, m, repo, old.OID, tip.OID))); diff != "" || tip.Ref != "refs/heads/trunk" {
		t.Errorf("%v %s", tip, diff)
	}
	forgetest.Git(t, u.bare, "symbolic-ref", "HEAD", "refs/heads/nothing")
	if _, err := m.Fetch(t.Context(), repo); !errors.Is(err, ErrEmpty) {
		t.Errorf("without a default branch: %v", err)
	}
}

// TestWithoutFilter: a server that refuses to leave blobs out sends them.
func TestWithoutFilter(t *testing.T) {
	for _, setting := range []string{"uploadpack.allowFilter", "uploadpackfilter.blob:none.allow"} {
		u, m := newUpstream(t), open(t, Options{})
		forgetest.Git(t, u.bare, "config", setting, "false")
		oid := u.push(t, map[string]string{Folder + "/a.md": "a"})
		repo := add(t, m, u.url)
		if tip := fetch(t, m, repo); tip.OID != oid {
			t.Errorf("%s: %v", setting, tip)
		}
		all := changes(t, m, repo, "", oid)
		if missing, err := m.missing(t.Context(), repo, []string{all.Files[0].New}); err != nil || len(missing) != 0 {
			t.Errorf("%s: %v is missing, %v", setting, missing, err)
		}
		if got := read(t, m, repo, all); got[Folder+"/a.md"] != "a" {
			t.Errorf("%s: %v", setting, got)
		}
	}
}

func TestBounds(t *testing.T) {
	u, m := newUpstream(t), open(t, Options{})
	oid := u.push(t, map[string]string{
		Folder + "/large.md": strings.Repeat("x", MaxBytes+1), Folder + "/most.md": strings.Repeat("x", MaxBytes),
	})
	repo := add(t, m, u.url)
	fetch(t, m, repo)
	got := read(t, m, repo, changes(t, m, repo, "", oid))
	if len(got[Folder+"/large.md"]) != 0 || len(got[Folder+"/most.md"]) != MaxBytes {
		t.Errorf("%d and %d bytes", len(got[Folder+"/large.md"]), len(got[Folder+"/most.md"]))
	}
	entry := "100644 blob 0123456789012345678901234567890123456789\t" + Folder + "/a.md"
	if _, _, ok := parseEntry(entry); !ok {
		t.Error("an ordinary file is none")
	}
	for _, mode := range []string{"120000", "160000"} {
		if _, _, ok := parseEntry(strings.Replace(entry, "100644", mode, 1)); ok {
			t.Errorf("mode %s is an ordinary file", mode)
		}
	}
}

// TestTooManyMemories: the first by path count, the same ones every time.
func TestTooManyMemories(t *testing.T) {
	u, m := newUpstream(t), open(t, Options{})
	blob := forgetest.Git(t, u.work, "hash-object", "-w", "-t", "blob", os.DevNull)
	var in bytes.Buffer
	for i := range MaxMemories + 3 {
		fmt.Fprintf(&in, "M 100644 %s %s/%05d.md\n", blob, Folder, i)
	}
	file := filepath.Join(t.TempDir(), "commands")
	head := "commit refs/heads/main\ncommitter ann <ann@example.org> 1767323045 +0000\ndata 0\n\n"
	if err := os.WriteFile(file, append([]byte(head), in.Bytes()...), 0o666); err != nil {
		t.Fatal(err)
	}
	fastImport(t, u.work, file)
	forgetest.Git(t, u.work, "push", "-q", u.bare, "main")
	repo := add(t, m, u.url)
	got := changes(t, m, repo, "", fetch(t, m, repo).OID)
	if len(got.Files) != MaxMemories || got.Left != 3 || got.Files[0].Path != Folder+"/00000.md" {
		t.Errorf("%d files, %d left", len(got.Files), got.Left)
	}
}

// TestAddresses: only what the options allow is ever called.
func TestAddresses(t *testing.T) {
	m, err := Open(t.Context(), t.TempDir(), Options{Environ: forgetest.Environ(t.TempDir())})
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{
		"", "/srv/a.git", "file:///srv/a.git", "http://host/a", "git://host/a", "ext::sh -c touch% x", "https:///a",
		"https://ann:secret@host/a", "host:a.git", "-u@host:a", "https://-x/a", "ssh://-oProxyCommand=x/a", "https://h\x00/",
	} {
		if _, err := m.Add(t.Context(), bad); !errors.Is(err, ErrAddress) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	repo := add(t, m, "ssh://git@host.invalid/a.git")
	if again := add(t, m, "ssh://git@host.invalid/a.git"); again != repo {
		t.Errorf("added twice: %s, %s", repo, again)
	}
	if _, err := m.LsRemote(t.Context(), "ssh://git@host.invalid/a.git", Credential{}); !errors.Is(err, ErrAddress) {
		t.Errorf("a caller is served with the server's own keys: %v", err)
	}
	if url, err := m.URL(repo); err != nil || url != "ssh://git@host.invalid/a.git" {
		t.Error(url, err)
	}
	if err := m.Remove(t.Context(), repo); err != nil {
		t.Error(err)
	}
	if _, err := m.Fetch(t.Context(), repo); !errors.Is(err, ErrDamaged) {
		t.Errorf("a mirror that is not there: %v", err)
	}
	for _, key := range []string{"", "..", "../../../etc/passwd", strings.Repeat("g", 20)} {
		if err := m.Remove(t.Context(), key); err == nil {
			t.Errorf("removed %q", key)
		}
	}
}

// TestFailures: each failure has its name, and what is known stays.
func TestFailures(t *testing.T) {
	u := newUpstream(t)
	oid := u.push(t, map[string]string{Folder + "/a.md": "a"})
	var answer, called atomic.Int64
	other := forgetest.Serve(t, filepath.Dir(u.bare), func(http.ResponseWriter, *http.Request) bool {
		called.Add(1)
		return false
	})
	server := forgetest.Serve(t, filepath.Dir(u.bare), func(w http.ResponseWriter, r *http.Request) bool {
		status := int(answer.Load())
		if status == 0 {
			return false
		}
		w.Header().Set("Location", other.URL+r.RequestURI)
		w.WriteHeader(status)
		return true
	})
	m := open(t, Options{})
	repo := add(t, m, server.URL+"/one.git")
	fetch(t, m, repo)
	if err := m.MoveLast(t.Context(), repo, oid); err != nil {
		t.Fatal(err)
	}
	for status, want := range map[int]error{
		401: ErrDenied, 403: ErrDenied, 404: ErrGone, 410: ErrGone, 500: ErrUnreachable, 503: ErrUnreachable,
		429: ErrUnreachable, 301: ErrMoved, 302: ErrMoved, 307: ErrMoved,
	} {
		answer.Store(int64(status))
		if _, err := m.Fetch(t.Context(), repo); !errors.Is(err, want) {
			t.Errorf("%d: %v, want %v", status, err, want)
		}
		if got := changes(t, m, repo, "", oid); len(got.Files) != 1 {
			t.Errorf("%d: %v", status, got)
		}
		if last, err := m.ref(t.Context(), repo, lastRef); err != nil || last != oid {
			t.Errorf("%d: %q, %v", status, last, err)
		}
	}
	if called.Load() != 0 {
		t.Error("a redirect was followed")
	}
	answer.Store(0)
	server.Close()
	if _, err := m.Fetch(t.Context(), repo); !errors.Is(err, ErrUnreachable) {
		t.Errorf("nobody listens: %v", err)
	}
}

// TestSlow: a remote that says nothing is given up on in time.
func TestSlow(t *testing.T) {
	stop := make(chan struct{})
	server := forgetest.Serve(t, t.TempDir(), func(http.ResponseWriter, *http.Request) bool { <-stop; return true })
	defer close(stop)
	m := open(t, Options{Time: 300 * time.Millisecond})
	repo := add(t, m, server.URL+"/one.git")
	if _, err := m.Fetch(t.Context(), repo); !errors.Is(err, ErrUnreachable) {
		t.Error(err)
	}
}

// TestCredential: what a call passes reaches its host alone, and is gone with it.
func TestCredential(t *testing.T) {
	u := newUpstream(t)
	oid := u.push(t, map[string]string{Folder + "/a.md": "a"})
	server := forgetest.Serve(t, filepath.Dir(u.bare), func(w http.ResponseWriter, r *http.Request) bool {
		user, password, _ := r.BasicAuth()
		if user == "ann" && password == "se:cret" {
			return false
		}
		w.Header().Set("WWW-Authenticate", "Basic")
		w.WriteHeader(http.StatusUnauthorized)
		return true
	})
	m := open(t, Options{Credential: func(string) Credential { return Credential{"ann", "se:cret"} }})
	repo := add(t, m, server.URL+"/one.git")
	read(t, m, repo, changes(t, m, repo, "", fetch(t, m, repo).OID))
	for _, c := range []struct {
		credential Credential
		want       error
	}{
		{Credential{"ann", "se:cret"}, nil},
		{Credential{"ann", "other"}, ErrDenied},
		{Credential{"eve", "se:cret"}, ErrDenied},
		{Credential{}, ErrDenied},
		{Credential{Secret: "se:cret"}, ErrDenied},
	} {
		tip, err := m.LsRemote(t.Context(), server.URL+"/one.git", c.credential)
		if !errors.Is(err, c.want) || (err == nil) != (tip.OID == oid) {
			t.Errorf("%v: %v, %v", c.credential, tip, err)
		}
	}
	err := filepath.WalkDir(m.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte("se:cret")) || bytes.Contains(data, []byte("YW5uOnNlOmNyZXQ")) {
			t.Errorf("%s holds the password", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
