package browser

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// hub is a hub of this test that answers with invented memories. The user's git configuration names it.
func hub(t *testing.T) {
	t.Helper()
	places := `[{"repository":"acme/web","path":"a.md"},{"repository":"acme/api","path":"b.md","stale":true}]`
	var results, counts []string
	for i := range 12 {
		results = append(results, fmt.Sprintf(`{"id":"k7q2m9xa%08d","type":"gotcha","title":"The proxy in front of service %d drops uploads beyond a megabyte","status":"active",
			"created":"2026-11-%02dT00:00:00Z","snippet":"…the proxy drops uploads beyond a megabyte, and says nothing…","marks":[{"start":7,"end":12}],"text":"Set the limit in deploy/nginx.conf.","places":%s}`, i, i, 1+i, places))
		counts = append(counts, fmt.Sprintf(`{"repository":"acme/service-with-a-long-name-%d","memories":%d,"flagged":%d,"moved":"2026-11-20T00:00:00Z","checked":"2026-11-29T12:00:00Z","stale":%t}`, i, 40*i, i%3, i == 2))
	}
	says := map[string]string{
		"/v1/search": `{"repositories":12,"memories":2640,"total":12,"stale":["acme/api"],"results":[` + strings.Join(results, ",") + `]}`,
		"/v1/who":    `{"repositories":12,"met_in":2,"signatures":["upstream prematurely closed connection"],"results":[` + strings.Join(results[:2], ",") + `],"similar":[` + results[2] + `]}`,
		"/v1/stats": `{"memories":2640,"shared":1,"repositories":[` + strings.Join(counts, ",") + `],
			"traps":[{"signature":"upstream prematurely closed connection","repositories":2}]}`,
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := says[r.URL.Path]
		if !ok {
			answer = results[0]
		}
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(web.Close)
	dir := t.TempDir()
	passwords, config := filepath.Join(dir, "passwords"), filepath.Join(dir, "config")
	for name, text := range map[string]string{
		passwords: strings.Replace(web.URL, "://", "://ann:pw@", 1) + "\n",
		config:    "[cortex \"hub\"]\n\turl = " + web.URL + "\n[credential]\n\thelper = store --file=" + passwords + "\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GIT_CONFIG_GLOBAL", config)
}

// TestHub: the page of a hub is there where it was asked for, and shows itself as all others do.
func TestHub(t *testing.T) {
	dir := repository(t, 0)
	hub(t)
	for _, look := range looks() {
		t.Run(look.String(), func(t *testing.T) {
			v := visit(t, dir, look.width, look.dark, "--hub")
			for name, path := range map[string]string{"counts": "hub", "search": "hub?q=uploads", "who": "hub?error=upstream+prematurely+closed+connection"} {
				v.open(path)
				v.shoot(fmt.Sprintf("hub-%s-%s", name, look))
				v.tidy(path)
			}
			v.open("hub")
			do(v, chromedp.Click(chromedp.CSS("#found a")))
			if got := v.see("#found"); !strings.Contains(got, "2 of 12 repositories met this error") {
				t.Errorf("an error that several met leads to %q", got)
			}
		})
	}
	v := visit(t, dir, 1280, false)
	if got := v.see("header"); strings.Contains(got, "Hub") {
		t.Errorf("a hub that nobody asked for is in %q", got)
	}
}
