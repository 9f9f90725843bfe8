package forge

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/internal/testrun"

	"github.com/google/go-cmp/cmp"
)

func TestMain(m *testing.M) { os.Exit(testrun.InMemory(m).Run()) }

// fake is a forge that is none: it answers with payloads in the form that the forges publish.
type fake struct {
	*httptest.Server

	status int // answered to everything, if not 0
	header http.Header
	asked  []string // path, query, and whether 304 was answered
	auth   string   // of the last request
	pages  map[string]fakePage
}

type fakePage struct{ body, etag, next string }

func startFake(t *testing.T, pages map[string]fakePage) *fake {
	t.Helper()
	f := &fake{pages: pages}
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.Close)
	return f
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	f.auth = r.Header.Get("Authorization")
	for name := range f.header {
		w.Header().Set(name, f.header.Get(name))
	}
	page, ok := f.pages[r.RequestURI]
	same := ok && page.etag != "" && r.Header.Get("If-None-Match") == page.etag
	f.asked = append(f.asked, fmt.Sprint(r.RequestURI, map[bool]string{true: " unchanged"}[same]))
	if f.status != 0 {
		w.WriteHeader(f.status)
		return
	}
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	w.Header().Set("ETag", page.etag)
	if page.next != "" {
		w.Header().Set("Link", `<`+f.URL+page.next+`>; rel="next", <`+f.URL+`/last>; rel="last"`)
	}
	if same {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	fmt.Fprint(w, strings.ReplaceAll(page.body, "$URL", f.URL))
}

func refs(forge string, ids ...string) []hub.RepoRef {
	var list []hub.RepoRef
	for _, id := range ids {
		list = append(list, hub.RepoRef{Forge: forge, ID: id, Name: "name/" + id})
	}
	return list
}

func ids(list []hub.RepoRef) string {
	var b strings.Builder
	for _, r := range list {
		b.WriteString(r.ID + r.Name + " ")
	}
	return b.String()
}

const (
	githubFirst  = `[{"id":1,"full_name":"acme/one","permissions":{"admin":false,"push":false,"pull":true}},{"id":2,"full_name":"acme/two","permissions":{"pull":false}},{"id":3,"full_name":"acme/three"}]`
	githubSecond = `[{"id":4,"full_name":"acme/four","permissions":{"pull":true}}]`
	gitlabPath   = "/projects?membership=true&min_access_level=20&simple=true&pagination=keyset&order_by=id&sort=asc&per_page=100"
)

func TestReadable(t *testing.T) {
	token := hub.Credentials{Secret: "tok"}
	for name, c := range map[string]struct {
		make  func(Options) (*Host, error)
		cred  hub.Credentials
		pages map[string]fakePage
		auth  string
		want  string
	}{
		"github": {GitHub, token, map[string]fakePage{
			"/user/repos?per_page=100":        {body: githubFirst, next: "/user/repos?per_page=100&page=2"},
			"/user/repos?per_page=100&page=2": {body: githubSecond},
		}, "Bearer tok", "1 4 "},
		"gitea": {Gitea, token, map[string]fakePage{
			"/user/repos?limit=50": {body: githubFirst},
		}, "token tok", "1 "},
		"gitlab": {GitLab, token, map[string]fakePage{
			gitlabPath:                 {body: `[{"id":1,"path_with_namespace":"acme/one"},{"id":4,"path_with_namespace":"acme/four"}]`, next: gitlabPath + "&id_after=4"},
			gitlabPath + "&id_after=4": {body: `[{"id":5,"path_with_namespace":"acme/five"}]`},
		}, "Bearer tok", "1 4 5 "},
		"bitbucket": {Bitbucket, hub.Credentials{User: "ann", Secret: "tok"}, map[string]fakePage{
			"/user/workspaces?pagelen=100":                 {body: `{"values":[{"type":"workspace_access","workspace":{"slug":"acme"}}],"next":"$URL/user/workspaces?page=2"}`},
			"/user/workspaces?page=2":                      {body: `{"values":[{"workspace":{"slug":"o%2F"}}]}`},
			"/repositories/acme?role=member&pagelen=100":   {body: `{"values":[{"uuid":"1","full_name":"acme/one"}],"next":"$URL/repositories/acme?page=2"}`},
			"/repositories/acme?page=2":                    {body: `{"values":[{"uuid":"5","full_name":"acme/five"}]}`},
			"/repositories/o%252F?role=member&pagelen=100": {body: `{"values":[]}`},
		}, "Basic YW5uOnRvaw==", "1 5 "},
	} {
		f := startFake(t, c.pages)
		h, err := c.make(Options{Name: name, URL: f.URL})
		if err != nil {
			t.Fatal(err)
		}
		ask := []hub.RepoRef{}
		for _, id := range []string{"1", "2", "3", "4", "5", "6"} {
			ask = append(ask, hub.RepoRef{Forge: name, ID: id})
		}
		ask = append(ask, hub.RepoRef{Forge: "another", ID: "1"})
		got, _, err := h.Readable(t.Context(), c.cred, ask)
		if err != nil || ids(got) != c.want || f.auth != c.auth {
			t.Errorf("%s: %q, %v as %q, want %q", name, ids(got), err, f.auth, c.want)
		}
		byName := []hub.RepoRef{{Forge: name, Name: "Acme/One"}, {Forge: name, Name: "acme/zero"}, {Forge: name, ID: "9", Name: "acme/one"}}
		if got, _, err := h.Readable(t.Context(), c.cred, byName); err != nil || ids(got) != "Acme/One " {
			t.Errorf("%s by name: %q, %v", name, ids(got), err)
		}
		if _, _, err := h.Readable(t.Context(), hub.Credentials{}, ask); !errors.Is(err, hub.ErrDenied) {
			t.Errorf("%s without a token: %v", name, err)
		}
	}
}

// TestRefusals: what is no answer is an error, and never a list of nothing.
func TestRefusals(t *testing.T) {
	f := startFake(t, map[string]fakePage{"/user/repos?per_page=100": {body: githubFirst}})
	elsewhere := startFake(t, map[string]fakePage{"/user/repos?per_page=100": {body: githubFirst}})
	h, err := GitHub(Options{Name: "hub", URL: f.URL})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		status int
		header http.Header
		want   error
	}{
		{401, nil, hub.ErrDenied},
		{403, nil, hub.ErrDenied},
		{403, http.Header{"X-Ratelimit-Remaining": {"0"}}, ErrUnavailable},
		{403, http.Header{"Retry-After": {"60"}}, ErrUnavailable},
		{404, nil, ErrUnavailable},
		{429, nil, ErrUnavailable},
		{500, nil, ErrUnavailable},
		{503, nil, ErrUnavailable},
		{204, nil, ErrUnavailable},
		{302, http.Header{"Location": {elsewhere.URL + "/user/repos?per_page=100"}}, ErrUnavailable},
	} {
		f.status, f.header = c.status, c.header
		got, _, err := h.Readable(t.Context(), hub.Credentials{Secret: "tok"}, refs("hub", "1"))
		if !errors.Is(err, c.want) || len(got) != 0 || strings.Contains(fmt.Sprint(err), "tok") {
			t.Errorf("%d %v: %v, %v", c.status, c.header, got, err)
		}
	}
	f.status, f.header = 0, nil
	for _, body := range []string{"", "{}", `[{"id":1,`, "<html>"} {
		f.pages["/user/repos?per_page=100"] = fakePage{body: body}
		if got, _, err := h.Readable(t.Context(), hub.Credentials{Secret: "tok"}, refs("hub", "1")); !errors.Is(err, ErrUnavailable) {
			t.Errorf("%q: %v, %v", body, got, err)
		}
	}
	f.pages["/user/repos?per_page=100"] = fakePage{body: githubFirst, next: "/user/repos?per_page=100"}
	if _, _, err := h.Readable(t.Context(), hub.Credentials{Secret: "tok"}, refs("hub", "1")); !errors.Is(err, ErrUnavailable) {
		t.Errorf("a list without end: %v", err)
	}
	f.pages["/user/repos?per_page=100"] = fakePage{body: githubFirst}
	f.header = http.Header{"Link": {`<` + elsewhere.URL + `/user/repos?per_page=100>; rel="next"`}}
	if _, _, err := h.Readable(t.Context(), hub.Credentials{Secret: "tok"}, refs("hub", "1")); !errors.Is(err, ErrUnavailable) {
		t.Errorf("a page of another host: %v", err)
	}
	if len(elsewhere.asked) != 0 {
		t.Errorf("the token went elsewhere: %v", elsewhere.asked)
	}
	f.Close()
	if _, _, err := h.Readable(t.Context(), hub.Credentials{Secret: "tok"}, refs("hub", "1")); !errors.Is(err, ErrUnavailable) {
		t.Errorf("nobody listens: %v", err)
	}
}

func TestAddresses(t *testing.T) {
	for address, want := range map[string]bool{
		"https://forge.example/api": true, "http://127.0.0.1:3000": true, "http://[::1]/": true,
		"http://forge.example": false, "http://localhost": false, "ftp://forge.example": false,
		"https://ann:x@forge.example": false, "forge.example": false, "": false,
	} {
		if _, err := Gitea(Options{Name: "g", URL: address}); (err == nil) != want {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// TestUnchanged: a list whose pages are all as they were is not sent again.
func TestUnchanged(t *testing.T) {
	const first, second = "/user/repos?per_page=100", "/user/repos?per_page=100&page=2"
	f := startFake(t, map[string]fakePage{
		first: {githubFirst, `"a"`, second}, second: {githubSecond, `W/"b"`, ""},
	})
	h, err := GitHub(Options{Name: "hub", URL: f.URL})
	if err != nil {
		t.Fatal(err)
	}
	cred := hub.Credentials{Secret: "tok"}
	list, err := h.List(t.Context(), cred, "")
	if err != nil || list.ETag == "" || list.Unchanged {
		t.Fatal(list, err)
	}
	f.asked = nil
	again, err := h.List(t.Context(), cred, list.ETag)
	if err != nil || !again.Unchanged || again.ETag != list.ETag {
		t.Error(again, err)
	}
	if diff := cmp.Diff([]string{first + " unchanged", second + " unchanged"}, f.asked); diff != "" {
		t.Error(diff)
	}
	f.pages[second] = fakePage{`[]`, `"c"`, ""}
	fewer, err := h.List(t.Context(), cred, list.ETag)
	if err != nil || fewer.Unchanged || len(fewer.Among(refs("hub", "1", "4"))) != 1 {
		t.Error(fewer, err)
	}
	f.status = 500
	if _, err := h.List(t.Context(), cred, list.ETag); !errors.Is(err, ErrUnavailable) {
		t.Error(err)
	}
}
