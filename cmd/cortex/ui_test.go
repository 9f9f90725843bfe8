package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace"
	"github.com/google/go-cmp/cmp"
)

// browser is one that `cortex ui` let in.
type browser struct {
	*http.Client
	t      *testing.T
	at     *checkout
	origin string // of the pages
	form   string // what every form carries
	link   string // the address that was printed
}

// startUI starts "cortex ui --json" with more arguments, and returns what it prints and
// what it says on standard error.
func startUI(t *testing.T, at *checkout, args ...string) (cmd *exec.Cmd, out *bufio.Reader, said *strings.Builder) {
	t.Helper()
	cmd = exec.Command("cortex", append([]string{"ui", "--json"}, args...)...)
	said = &strings.Builder{}
	cmd.Dir, cmd.Env, cmd.Stderr = at.dir, at.env, said
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewReader(pipe), said
}

// newBrowser starts the server in a checkout and lets a browser in. args come
// behind "cortex ui".
func newBrowser(t *testing.T, at *checkout, args ...string) *browser {
	t.Helper()
	cmd, out, said := startUI(t, at, args...)
	t.Cleanup(func() { // a data race would make the server say so, and exit with another code
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil || strings.Contains(said.String(), "RACE") {
			t.Errorf("cortex ui ended with %v and said %q", err, said.String())
		}
	})
	line, err := out.ReadString('\n')
	var printed struct{ Address string }
	if err == nil {
		err = json.Unmarshal([]byte(line), &printed)
	}
	if err != nil {
		t.Fatalf("it printed %q: %v; %s", line, err, said.String())
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{Client: &http.Client{Jar: jar}, t: t, at: at, link: printed.Address}
	b.origin, _, _ = strings.Cut(printed.Address, "/?")
	code, page := b.get("/?" + strings.SplitN(printed.Address, "?", 2)[1])
	if code != http.StatusOK {
		t.Fatalf("the address answers %d: %s", code, page)
	}
	if m := regexp.MustCompile(`name="form" value="([0-9a-f]+)"`).FindStringSubmatch(b.page("review")); m != nil {
		b.form = m[1]
	}
	return b
}

func (b *browser) read(res *http.Response, err error) (int, string) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func (b *browser) get(path string) (int, string) {
	b.t.Helper()
	return b.read(b.Get(b.origin + path))
}

// page is a page of the first repository.
func (b *browser) page(path string) string {
	b.t.Helper()
	code, body := b.get("/r/0/" + path)
	if code != http.StatusOK {
		b.t.Fatalf("%s answers %d: %s", path, code, body)
	}
	return body
}

// post sends a form of a page.
func (b *browser) post(path string, form url.Values) (int, string) {
	b.t.Helper()
	form.Set("form", b.form)
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.origin+"/r/0/"+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", b.origin)
	return b.read(b.Do(req))
}

// item is how forms of the review name the memory with a title.
func (b *browser) item(title string) string {
	b.t.Helper()
	_, rest, found := strings.Cut(b.page("review"), title+"</a></h2>")
	m := regexp.MustCompile(`name="item" value="([^"]+)"`).FindStringSubmatch(rest)
	if !found || m == nil {
		b.t.Fatalf("%q does not wait for review", title)
	}
	return m[1]
}

// undo takes back what the review offers to take back.
func (b *browser) undo() (int, string) {
	b.t.Helper()
	number := ""
	if m := regexp.MustCompile(`name="decision" value="([0-9]+)"`).FindStringSubmatch(b.page("review")); m != nil {
		number = m[1]
	}
	return b.post("review/undo", url.Values{"decision": {number}})
}

// same compares the JSON of a page with that of a command.
func (b *browser) same(path string, command ...string) {
	b.t.Helper()
	var got, want any
	if err := json.Unmarshal([]byte(b.page(path)), &got); err != nil {
		b.t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(b.at.run("", "cortex", append(command, "--json")...)), &want); err != nil {
		b.t.Fatal(err)
	}
	if diff := cmp.Diff(timeless(want), timeless(got)); diff != "" {
		b.t.Errorf("%s is not cortex %v (-want +got):\n%s", path, command, diff)
	}
}

// TestUIAnswers: a page shows what the command of the same name answers.
func TestUIAnswers(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	c := remembering(t)
	b := newBrowser(t, c)
	var all struct{ Memories []struct{ ID, Title string } }
	if err := json.Unmarshal([]byte(c.run("", "cortex", "list", "--json")), &all); err != nil {
		t.Fatal(err)
	}
	id := all.Memories[0].ID
	b.same("?json", "status")
	b.same("memories?json", "list", "-n", "50")
	b.same("memories?json&type=decision&stage=landed", "list", "-t", "decision", "--stage", "landed", "-n", "50")
	b.same("memories?json&q=search+index", "search", "search index", "-n", "50")
	b.same("memories?json&q=type:gotcha&explain", "search", "type:gotcha", "-n", "50", "--explain")
	b.same("memory/"+id+"?json", "show", id)
	b.same("timeline?json", "topics")
	b.same("graph?json", "graph", "--nodes", "memory")
	b.same("review?json", "review")
	b.same("branch?json&q=HEAD+HEAD", "diff", "HEAD", "HEAD")
	b.same("briefing?json", "brief")
	b.same("briefing?json&moment=prompt&q=Which+search+index%3F", "recall", "--prompt", "Which search index?", "--explain")
	b.same("briefing?json&moment=command&q=go+test", "recall", "--command", "go test", "--explain")
	found := b.page("memories?q=search+index")
	if want := `href="/r/0/memories?q=search+index+tag%3Astorage">storage <span class="dim">1</span>`; !strings.Contains(found, want) {
		t.Errorf("a search lacks %q:\n%s", want, found)
	}
	for _, m := range all.Memories {
		if !strings.Contains(b.page("memories"), m.Title) {
			t.Errorf("%q is not listed", m.Title)
		}
	}
	for path, want := range map[string]int{
		"/r/0/memory/zzzzzzz": 404, "/r/1/": 404, "/r/x/": 404, "/nowhere": 404, "/assets/nothing.js": 404, "/assets/..%2fui.go": 404,
		"/r/0/memories?type=nonsense": 400, "/r/0/memories?q=type:nonsense": 400, "/r/0/memories?json&q=type:nonsense": 400,
	} {
		if code, body := b.get(path); code != want {
			t.Errorf("%s answers %d, want %d: %s", path, code, want, body)
		}
	}
}

// TestUIReview: decisions in a page are those of the command line, about the memory
// that the person saw, and can be taken back.
func TestUIReview(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	c := remembering(t)
	b := newBrowser(t, c)
	const kept, asked = "Small commits, one reason each", "Does the index survive a full disk?"
	pendingNow := func() string { return c.run("", "cortex", "list", "--stage", "pending") }

	first := b.item(kept)
	if code, body := b.post("review/accept", url.Values{"item": {first}}); code != http.StatusOK || !strings.Contains(body, "Accepted") {
		t.Fatalf("accepting answers %d: %s", code, body)
	}
	if staged := c.run("", "git", "diff", "--cached", "--name-only"); !strings.Contains(staged, "small-commits") {
		t.Errorf("staged is %q", staged)
	}
	if code, body := b.undo(); code != http.StatusOK || !strings.Contains(body, "Undone") {
		t.Fatalf("undo answers %d: %s", code, body)
	}
	if !strings.Contains(pendingNow(), "Small commits") {
		t.Error("what was undone is not pending")
	}
	if code, _ := b.undo(); code == http.StatusOK {
		t.Error("there was nothing left to undo")
	}

	seen := b.item(kept)
	var sheet struct {
		Memories []struct{ ID, Title string }
	}
	if err := json.Unmarshal([]byte(c.run("", "cortex", "review", "--json")), &sheet); err != nil {
		t.Fatal(err)
	}
	id, _, _ := strings.Cut(seen, " ")
	file := fileOf(t, b.page("review"), id)
	edited := strings.Replace(file, kept, "Small commits, one reason each, and a test", 1)
	if code, body := b.post("review/edit", url.Values{"item": {seen}, "file": {strings.ReplaceAll(edited, "\n", "\r\n")}}); code != http.StatusOK {
		t.Fatalf("editing answers %d: %s", code, body)
	}
	if !strings.Contains(pendingNow(), "and a test") {
		t.Errorf("pending is %s", pendingNow())
	}
	if code, _ := b.post("review/reject", url.Values{"item": {seen}}); code != http.StatusConflict {
		t.Errorf("deciding about what was edited since answers %d", code)
	}

	if code, _ := b.post("review/undo", url.Values{"decision": {"1"}}); code == http.StatusOK {
		t.Error("a page that is behind took back what it did not show")
	}
	_ = b.item(asked)
	one := url.Values{"item": {b.item("Small commits, one reason each, and a test")}}
	if code, body := b.post("review/reject", one); code != http.StatusOK || !strings.Contains(body, "Rejected “Small") {
		t.Fatalf("rejecting answers %d: %s", code, body)
	}
	if strings.Contains(pendingNow(), "Small commits") {
		t.Error("what was rejected is pending")
	}
	if code, body := b.undo(); code != http.StatusOK {
		t.Fatalf("undo answers %d: %s", code, body)
	}
	if !strings.Contains(pendingNow(), "Small commits") {
		t.Error("what was undone is not pending")
	}
	if code, _ := b.post("review/accept", url.Values{}); code == http.StatusOK {
		t.Error("accepting nothing is taken")
	}
}

// TestUIDifference: what would replace an earlier memory stands line by line beside it.
func TestUIDifference(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	c := newCheckout(t)
	c.run("", "cortex", "remember", "-q", "--type", "decision", "The cache keeps pages for ten minutes. Readers accept pages that are <b>old</b>.")
	var all struct{ Memories []struct{ ID string } }
	if err := json.Unmarshal([]byte(c.run("", "cortex", "list", "--json")), &all); err != nil {
		t.Fatal(err)
	}
	c.run("", "cortex", "remember", "-q", "--pending", "--type", "decision", "--supersedes", all.Memories[0].ID, "The cache keeps pages for an hour. Readers accept pages that are <b>old</b>.")
	b := newBrowser(t, c)
	_, shown, found := strings.Cut(b.page("review"), "Replaces <a ")
	shown, _, _ = strings.Cut(shown, "</details>")
	for _, want := range []string{
		"1 line removed, 1 line added", "<del>− The cache keeps pages for ten minutes</del>", "<ins>+ The cache keeps pages for an hour</ins>",
		"<span>Readers accept pages that are &lt;b&gt;old&lt;/b&gt;.</span>",
	} {
		if !found || !strings.Contains(shown, want) {
			t.Errorf("the page lacks %q:\n%s", want, shown)
		}
	}
	b.same("review?json", "review")
}

// TestUIMute: a line of the briefing that a session begins with is muted on its page, and told again.
func TestUIMute(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	c := newCheckout(t)
	c.run("", "cortex", "remember", "-q", "--type", "preference", "Always use tabs in this repository.")
	c.run("", "cortex", "remember", "-q", "--pending", "What waits gives the page of the review a form.")
	b := newBrowser(t, c)
	told := regexp.MustCompile(`use tabs[^\n]*<button name="id" value="([^"]+)" data-key="m">(Mute|Tell it again)<`)
	for _, want := range []string{"Mute", "Tell it again", "Mute"} {
		m := told.FindStringSubmatch(b.page("briefing"))
		if m == nil || m[2] != want {
			t.Fatalf("the page offers %q, want %q", m, want)
		}
		path := map[string]string{"Mute": "briefing/mute", "Tell it again": "briefing/unmute"}[want]
		if code, body := b.post(path, url.Values{"id": {m[1]}}); code != http.StatusOK || !strings.Contains(body, "tokens before, and does with") {
			t.Fatalf("%s answers %d: %s", path, code, body)
		}
	}
	if muted := c.run("", "cortex", "mute"); !strings.Contains(muted, "tabs") {
		t.Errorf("muted is %q", muted)
	}
}

// TestUIForget: what is forgotten is the memory that the person saw.
func TestUIForget(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	c := newCheckout(t)
	c.run("", "cortex", "remember", "-q", "--pending", "Here we use tabs.")
	b := newBrowser(t, c)
	id, _, _ := strings.Cut(b.item("Here we use tabs"), " ")
	form := url.Values{}
	for _, m := range regexp.MustCompile(`name="(id|blob)" value="([^"]+)"`).FindAllStringSubmatch(b.page("memory/"+id), -1) {
		form.Set(m[1], m[2])
	}
	file := fileOf(t, b.page("review"), id)
	edited := strings.ReplaceAll(file, "tabs", "two spaces")
	if code, body := b.post("review/edit", url.Values{"item": {b.item("Here we use tabs")}, "file": {edited}}); code != http.StatusOK {
		t.Fatalf("editing answers %d: %s", code, body)
	}
	if code, _ := b.post("memory/forget", form); code != http.StatusConflict {
		t.Errorf("forgetting what was edited since answers %d", code)
	}
	form.Set("blob", strings.SplitN(b.item("Here we use two spaces"), " ", 2)[1])
	if code, body := b.post("memory/forget", form); code != http.StatusOK || !strings.Contains(body, "brings it back") {
		t.Errorf("forgetting answers %d: %s", code, body)
	}
	if pending := c.run("", "cortex", "list", "--stage", "pending"); strings.Contains(pending, "spaces") {
		t.Errorf("pending is %s", pending)
	}
	c.run("", "cortex", "restore", id)
	if pending := c.run("", "cortex", "list", "--stage", "pending"); !strings.Contains(pending, "spaces") {
		t.Errorf("what was restored is not pending: %s", pending)
	}
}

// TestUIUnseen: what the box for a file lacks, because nobody would see it there, is said.
func TestUIUnseen(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	c := newCheckout(t)
	c.run("", "cortex", "remember", "-q", "--pending", "Here we use tabs. They are tidy.")
	b := newBrowser(t, c)
	const said = "characters that cannot be seen"
	if strings.Contains(b.page("review"), said) {
		t.Error("it is said of a file without any")
	}
	w, err := workspace.Open(t.Context(), workspace.Env{Dir: c.dir, Environ: c.env, Now: time.Now, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	path := strings.TrimSpace(c.run("", "git", "ls-tree", "-r", "--name-only", "refs/cortex/journal", "pending/"))
	file := strings.ReplaceAll(c.run("", "git", "show", "refs/cortex/journal:"+path), "tidy", "ti\u202edy")
	err = w.Journal.Update(t.Context(), func(*gitops.Snapshot) (gitops.Change, error) {
		return gitops.Change{Message: "as another program may", Put: map[string][]byte{path: []byte(file)}, When: w.Now()}, nil
	})
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	if page := b.page("review"); !strings.Contains(page, said) || strings.Contains(page, "\u202e") {
		t.Errorf("the page is\n%s", page)
	}
}

// fileOf is the file of a memory as the page offers it to be edited.
func fileOf(t *testing.T, page, id string) string {
	t.Helper()
	for _, part := range strings.Split(page, "<textarea")[1:] {
		_, text, _ := strings.Cut(part, ">")
		text, _, _ = strings.Cut(text, "</textarea>")
		if strings.Contains(text, id) {
			return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&#39;", "'", "&#43;", "+", "&amp;", "&").Replace(text)
		}
	}
	t.Fatalf("no file of %s in the page", id)
	return ""
}

// TestUIHostile: nothing that a repository says acts in a page or in the file.
func TestUIHostile(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	c := newCheckout(t)
	for _, text := range []string{
		"<script>alert(1)</script> in the title. <img src=x onerror=alert(2)> in the text.",
		"Breaks </textarea><svg onload=alert(3)> out. [a](javascript:alert(4)) ![b](https://attacker.example/p.png)",
		"Hidden \u202eetirw\u202c and \U000e0041\U000e0042 tags. </summary></details><style>*{}</style>",
		"A long line. " + strings.Repeat("<u>", 20_000),
	} {
		c.run("", "cortex", "remember", "-q", "--pending", "--type", "gotcha", text)
	}
	b := newBrowser(t, c)
	pages := map[string]string{}
	for _, path := range []string{"", "memories", "memories?q=script", "review", "graph", "briefing", "briefing?moment=prompt&q=<script>alert(9)</script>", "timeline", "branch?worktree", "health"} {
		pages[path] = b.page(strings.ReplaceAll(strings.ReplaceAll(path, "<", "%3C"), ">", "%3E"))
	}
	_, pages["error"] = b.get("/r/0/memories?q=type:%3Cscript%3Ealert(9)")
	out := filepath.Join(t.TempDir(), "out.html")
	c.run("", "cortex", "ui", "-q", "--export", out)
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	pages["the export"] = string(data)
	acts := regexp.MustCompile(`(?i)<(svg onload|img|u>|style>\*|script>alert)|<[^>]*\s(on\w+|style)=|href="(javascript|data):|[\x{202e}\x{e0041}]`)
	values := regexp.MustCompile(`(value|aria-label|placeholder|content)="[^"<>]*"`)
	for path, page := range pages {
		page = values.ReplaceAllString(page, "")
		if bad := acts.FindString(page); bad != "" {
			t.Errorf("%q holds %q", path, bad)
		}
	}
	if !strings.Contains(pages["review"], "&lt;script&gt;") {
		t.Error("the title is not shown as it is")
	}
	if !strings.Contains(pages["the export"], `http-equiv="Content-Security-Policy"`) || regexp.MustCompile(`<(link|script) `).MatchString(pages["the export"]) {
		t.Error("the export has no policy, or loads something")
	}
}

// TestUIRepositories: one server shows several repositories, and no folder that was
// not named.
func TestUIRepositories(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	c, other := newCheckout(t), newCheckout(t)
	c.run("", "cortex", "remember", "-q", "Here we use tabs.")
	other.run("", "cortex", "remember", "-q", "There they use spaces.")
	b := newBrowser(t, c, "--repo", c.dir, "--repo", other.dir)
	if page := b.page("memories"); !strings.Contains(page, "tabs") || strings.Contains(page, "spaces") || !strings.Contains(page, `href="/r/1/"`) {
		t.Error("the first repository does not show what is its own")
	}
	if code, page := b.get("/r/1/memories"); code != http.StatusOK || !strings.Contains(page, "spaces") {
		t.Errorf("the second answers %d: %s", code, page)
	}
	for _, path := range []string{"/r/2/", "/r/-1/", "/r/..%2f/", "/r/%2fetc/"} {
		if code, _ := b.get(path); code != http.StatusNotFound {
			t.Errorf("%s answers %d", path, code)
		}
	}
	stranger := &http.Client{}
	for _, path := range []string{"/", "/r/0/memories", "/assets/style.css", strings.TrimPrefix(b.link, b.origin)} {
		if code, _ := b.read(stranger.Get(b.origin + path)); code != http.StatusForbidden {
			t.Errorf("%s answers a stranger %d", path, code)
		}
	}
}

// TestOpenBrowser: the token is in a file that this user alone can read, and not in the
// arguments of the program that opens the browser.
func TestOpenBrowser(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that opens a browser is a script here, and Windows has no sh")
	}
	dir := t.TempDir()
	for _, name := range []string{"xdg-open", "open"} {
		script := "#!/bin/sh\nprintf '%s\\n' \"$@\" >'" + dir + "/arguments'\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, in := range []string{dir, filepath.Join(dir, "none"), ""} {
		asked, remove := openBrowser(in, "http://127.0.0.1:1/?token=secret")
		if asked == nil {
			t.Fatal("the program that opens a browser did not start")
		}
		<-asked
		said, err := os.ReadFile(filepath.Join(dir, "arguments"))
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSpace(string(said))
		page, err := os.ReadFile(name)
		if err != nil || strings.Contains(name, "secret") || !strings.Contains(string(page), "url=http://127.0.0.1:1/?token=secret") {
			t.Errorf("it was asked to open %q, with\n%s%v", name, page, err)
		}
		for _, path := range []string{name, filepath.Dir(name)} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("others can read %s: %v", path, err)
			}
		}
		remove()
		if _, err := os.Stat(filepath.Dir(name)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s stays: %v", name, err)
		}
	}
}
