package ui

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
)

const here = "127.0.0.1:4321"

// guarded is a guard in front of a page that anybody may see, and the cookie of
// the browser that was let in.
func guarded(t *testing.T) (http.Handler, *guard, *http.Cookie) {
	t.Helper()
	g, err := newGuard(here, "secret", random())
	if err != nil {
		t.Fatal(err)
	}
	h := g.protect(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("in")) }))
	r := httptest.NewRequest(http.MethodGet, "http://"+here+"/?token=secret", nil)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	cookies := w.Result().Cookies()
	if w.Code != http.StatusSeeOther || len(cookies) != 1 {
		t.Fatalf("the address answers %d with cookies %v", w.Code, cookies)
	}
	back := httptest.NewRequest(http.MethodGet, "http://"+here+"/", nil)
	back.AddCookie(cookies[0])
	h.ServeHTTP(httptest.NewRecorder(), back)
	return h, g, cookies[0]
}

// TestToken: a client that presents the token and does not come back has not used it up;
// a browser that comes back has. The file that [Door] writes leads in, and no other page.
func TestToken(t *testing.T) {
	g, err := newGuard(here, "secret", random())
	if err != nil {
		t.Fatal(err)
	}
	h := g.protect(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	ask := func(path string, header map[string]string, cookies ...*http.Cookie) *http.Response {
		r := httptest.NewRequest(http.MethodGet, "http://"+here+path, nil)
		for k, v := range header {
			r.Header.Set(k, v)
		}
		for _, c := range cookies {
			r.AddCookie(c)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Result()
	}
	door := map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
	for name, tt := range map[string]struct {
		path   string
		header map[string]string
		want   int
	}{
		"a client that goes away": {"/?token=secret", nil, 303},
		"the file":                {"/?token=secret", door, 200},
		"a page that guesses":     {"/?token=other", door, 403},
		"a link elsewhere":        {"/r/0/review?token=secret", door, 403},
		"a script":                {"/?token=secret", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403},
		"a page that sends forms": {"/?token=secret", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Origin": "null"}, 403},
	} {
		res := ask(tt.path, tt.header)
		if res.StatusCode != tt.want || (len(res.Cookies()) == 1) != (tt.want < 400) {
			t.Errorf("%s: %d with cookies %v, want %d", name, res.StatusCode, res.Cookies(), tt.want)
		}
	}
	in := ask("/?token=secret", door)
	if to := in.Header.Get("Refresh"); to != "0; url=/" {
		t.Errorf("the file leads to %q", to)
	}
	if res := ask("/", nil, in.Cookies()...); res.StatusCode != 200 {
		t.Errorf("who came in by the file is answered %d", res.StatusCode)
	}
	for _, header := range []map[string]string{nil, door} {
		if res := ask("/?token=secret", header); res.StatusCode != 403 {
			t.Errorf("the token once more, with %v: %d", header, res.StatusCode)
		}
	}
}

// TestGuard: only requests that our pages make, in the browser that was let in, get
// through.
func TestGuard(t *testing.T) {
	h, g, cookie := guarded(t)
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Value == "" {
		t.Errorf("the cookie is %v", cookie)
	}
	form := url.Values{"form": {g.form}}.Encode()
	for name, test := range map[string]struct {
		method, host, path, body string
		header                   map[string]string
		stranger                 bool // without the cookie
		want                     int
	}{
		"a page":                 {want: 200},
		"a cookie put before":    {header: map[string]string{"Cookie": cookie.Name + "=of-another-port"}, want: 200},
		"a typed address":        {header: map[string]string{"Sec-Fetch-Site": "none"}, want: 200},
		"a link in a page":       {header: map[string]string{"Sec-Fetch-Site": "same-origin"}, want: 200},
		"without the cookie":     {stranger: true, want: 403},
		"the token once more":    {path: "/?token=secret", stranger: true, want: 403},
		"a wrong token":          {path: "/?token=other", stranger: true, want: 403},
		"the token, who is in":   {path: "/?token=secret", want: 303},
		"another name":           {host: "localhost:4321", want: 403},
		"a name made to resolve": {host: "attacker.example:4321", want: 403},
		"another port":           {host: "127.0.0.1:80", want: 403},
		"a link from a site":     {header: map[string]string{"Sec-Fetch-Site": "cross-site"}, want: 403},
		"a page beside ours":     {header: map[string]string{"Sec-Fetch-Site": "same-site"}, want: 403},
		"a script of a site":     {header: map[string]string{"Origin": "https://attacker.example"}, want: 403},
		"no origin":              {header: map[string]string{"Origin": "null"}, want: 403},
		"a form":                 {method: "POST", body: form, header: map[string]string{"Origin": "http://" + here}, want: 200},
		"a form, fetched":        {method: "POST", body: form, header: map[string]string{"Origin": "http://" + here, "Sec-Fetch-Site": "same-origin"}, want: 200},
		"a form of nowhere":      {method: "POST", body: form, want: 403},
		"a form, typed":          {method: "POST", body: form, header: map[string]string{"Origin": "http://" + here, "Sec-Fetch-Site": "none"}, want: 403},
		"a form of a site":       {method: "POST", body: form, header: map[string]string{"Origin": "https://attacker.example"}, want: 403},
		"a form without its key": {method: "POST", body: "id=1", header: map[string]string{"Origin": "http://" + here}, want: 403},
		"a form of a stranger":   {method: "POST", body: form, header: map[string]string{"Origin": "http://" + here}, stranger: true, want: 403},
		"a preflight":            {method: "OPTIONS", header: map[string]string{"Origin": "https://attacker.example"}, want: 403},
		"a deletion":             {method: "DELETE", header: map[string]string{"Origin": "http://" + here}, want: 403},
	} {
		method, path := test.method, test.path
		if method == "" {
			method = http.MethodGet
		}
		if path == "" {
			path = "/"
		}
		r := httptest.NewRequest(method, "http://"+here+path, strings.NewReader(test.body))
		if test.host != "" {
			r.Host = test.host
		}
		if method == http.MethodPost {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		for k, v := range test.header {
			r.Header.Set(k, v)
		}
		if !test.stranger {
			r.AddCookie(cookie)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != test.want {
			t.Errorf("%s: %d, want %d", name, w.Code, test.want)
		}
		if got := w.Header().Get("Content-Security-Policy"); got != policy {
			t.Errorf("%s: the policy is %q", name, got)
		}
		if w.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: other origins are allowed", name)
		}
	}
}

// TestLoopbackOnly: nothing is served to other machines.
func TestLoopbackOnly(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:80", "[::]:80", "192.0.2.1:80", "localhost:80", ""} {
		if _, err := newGuard(addr, "x", random()); err == nil {
			t.Errorf("%q is taken", addr)
		}
	}
}

// TestLargeForm: a form is read up to a bound, within which the largest memory is.
func TestLargeForm(t *testing.T) {
	h, g, cookie := guarded(t)
	for file, want := range map[string]int{
		strings.Repeat("\x00", memory.MaxFile): http.StatusOK, // each byte is sent as three
		strings.Repeat("x", 2*maxForm):         http.StatusRequestEntityTooLarge,
	} {
		body := url.Values{"file": {file}, "form": {g.form}}.Encode()
		r := httptest.NewRequest(http.MethodPost, "http://"+here+"/", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", "http://"+here)
		r.AddCookie(cookie)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("a file of %d bytes: %d, want %d", len(file), w.Code, want)
		}
	}
}
