// Package browser tests the pages of `cortex ui` in a real browser. It is a module
// of its own, so that the program's module does not carry what drives one. `.ci/browser`
// runs it.
package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// What the script passes: the program, a folder for screenshots, axe-core or nothing.
var (
	cortex = os.Getenv("CORTEX_BINARY")
	shots  = os.Getenv("CORTEX_SHOTS")
	axe    = os.Getenv("CORTEX_AXE")
)

// pages of a repository.
var pages = []string{"", "memories", "memories?q=index", "timeline", "graph", "review", "branch", "briefing?moment=prompt&q=Which+index+do+we+use%3F", "health"}

func TestMain(m *testing.M) {
	if cortex == "" {
		fmt.Println("CORTEX_BINARY is not set: run bash .ci/browser")
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// repository makes a repository with n landed memories and a few that wait.
func repository(t *testing.T, n int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "project")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "git", "init", "-q", "-b", "main", ".")
	run(t, dir, "git", "commit", "-q", "--allow-empty", "-m", "Start")
	run(t, dir, cortex, "init", "-q")
	if n == 0 {
		return dir
	}
	var lines strings.Builder
	types := []string{"decision", "gotcha", "learned", "fix", "architecture"}
	things := []string{"index", "journal", "catalog", "tokenizer", "merge driver", "briefing", "redactor", "spool", "snapshot", "projection", "cursor"}
	for i := range n {
		a, b := things[i%len(things)], things[(i/len(things)+3)%len(things)]
		out, _ := json.Marshal(map[string]string{
			"id": fmt.Sprint(i), "type": types[i%len(types)], "date": fmt.Sprintf("2026-%02d-%02d", 1+i%11, 1+i%28),
			"title": fmt.Sprintf("The %s meets the %s in case %d", a, b, i),
			"text":  fmt.Sprintf("The %s meets the %s in case %d. It needs `step%d`, because the %s is read first.\n\n- once\n- and again", a, b, i, i, b),
		})
		lines.Write(append(out, '\n'))
	}
	file := filepath.Join(t.TempDir(), "in.jsonl")
	if err := os.WriteFile(file, []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, dir, cortex, "import", "jsonl", file, "-q")
	run(t, dir, "git", "add", ".")
	run(t, dir, "git", "commit", "-q", "-m", "Remember")
	for _, text := range []string{"Small commits, one reason each.", "Tests name what they promise.", "Does the index survive a full disk?"} {
		run(t, dir, cortex, "remember", "-q", "--pending", text)
	}
	return dir
}

func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// visitor is a browser that was let in, in one tab.
type visitor struct {
	t      *testing.T
	ctx    context.Context //nolint:containedctx // chromedp: the context is the tab
	origin string
	stop   func() // ends the server

	mu    sync.Mutex
	wrong []string // what the page's console complained of
}

// visit starts the server in a folder, with more arguments, and a browser of a width in columns of pixels.
func visit(t *testing.T, dir string, width int64, dark bool, args ...string) *visitor {
	t.Helper()
	cmd := exec.Command(cortex, append([]string{"ui", "--json"}, args...)...)
	cmd.Dir = dir
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	stop := sync.OnceFunc(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("cortex ui ended with %v and said %q", err, said.String())
		}
	})
	t.Cleanup(stop)
	line, _ := bufio.NewReader(out).ReadString('\n')
	var printed struct{ Address string }
	if err := json.Unmarshal([]byte(line), &printed); err != nil {
		t.Fatalf("it printed %q and said %q", line, said.String())
	}
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.Flag("no-sandbox", os.Getuid() == 0), chromedp.Flag("use-gl", "angle"), chromedp.Flag("use-angle", "swiftshader"),
		chromedp.Flag("enable-unsafe-swiftshader", true))
	v := &visitor{t: t, stop: stop}
	alloc, cancelAlloc := chromedp.NewExecAllocator(t.Context(), opts...)
	ctx, cancel := chromedp.NewContext(alloc, chromedp.WithListener(v.hear))
	t.Cleanup(func() { cancel(); cancelAlloc() })
	v.ctx = ctx
	v.origin, _, _ = strings.Cut(printed.Address, "/?")
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	do(v, chromedp.EmulateViewport(width, 800))
	do(v, func(ctx context.Context, to *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, to, log.Enable, cdp.Empty{})
		if err == nil {
			_, err = cdp.Call(ctx, to, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
			})
		}
		return chromedp.Void{}, err
	})
	at := printed.Address
	if dark { // as cortex itself opens a browser: by a file that leads there
		door := filepath.Join(t.TempDir(), "open.html")
		html := "<!doctype html>\n<meta name=referrer content=no-referrer>\n<meta http-equiv=refresh content=\"0;url=" + at + "\">\n"
		if err := os.WriteFile(door, []byte(html), 0o600); err != nil {
			t.Fatal(err)
		}
		at = "file://" + door
	}
	do(v, chromedp.Navigate(at))
	v.see("main")
	return v
}

// hear notes what the console says.
func (v *visitor) hear(event any) {
	text := ""
	switch event := event.(type) {
	case *runtime.EventExceptionThrown:
		text = event.ExceptionDetails.Text
	case *log.EventEntryAdded:
		if event.Entry.Level == "error" {
			text = event.Entry.Text + " " + event.Entry.URL
		}
	}
	if text != "" {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.wrong = append(v.wrong, text)
	}
}

// complaints returns what the console said since the last call.
func (v *visitor) complaints() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	out := v.wrong
	v.wrong = nil
	return out
}

// do runs one action and returns its value.
func do[T any](v *visitor, a chromedp.Action[T]) T {
	v.t.Helper()
	out, err := chromedp.Run(v.ctx, a)
	if err != nil {
		v.t.Fatalf("%v; the console says %q", err, v.complaints())
	}
	return out
}

// see waits for an element and returns its text.
func (v *visitor) see(element string) string {
	v.t.Helper()
	do(v, chromedp.WaitVisible(chromedp.CSS(element)))
	return do(v, chromedp.Text(chromedp.CSS(element)))
}

// eval returns the value of an expression, or of the promise that it is.
func eval[T any](v *visitor, expression string) T {
	v.t.Helper()
	return do(v, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// until waits for what an action leads to, which may be on another page: an expression becomes true.
func (v *visitor) until(expression string) {
	v.t.Helper()
	for began := time.Now(); time.Since(began) < 30*time.Second; time.Sleep(50 * time.Millisecond) {
		if ok, err := chromedp.Run(v.ctx, chromedp.Evaluate[bool](expression)); err == nil && ok {
			return
		}
	}
	v.t.Fatalf("%s is never so; the console says %q", expression, v.complaints())
}

// open loads a page of the repository and returns its text.
func (v *visitor) open(path string) (text string) {
	v.t.Helper()
	do(v, chromedp.Navigate(v.origin+"/r/0/"+path))
	v.see("h1")
	return v.see("main")
}

// pictureHeight bounds a picture, in pixels: a browser that draws without a graphics
// card repeats a page from its top in a picture of more than 8,192.
const pictureHeight = 4000

// shoot keeps pictures of the page, to be looked at: as many as its height takes.
func (v *visitor) shoot(name string) {
	if shots == "" {
		return
	}
	size := eval[[]float64](v, `[document.documentElement.clientWidth, document.documentElement.scrollHeight]`)
	beyond := true
	for at := 0.0; at < size[1]; at += pictureHeight {
		clip := &page.Viewport{Y: at, Width: size[0], Height: min(pictureHeight, size[1]-at), Scale: 1}
		png := do(v, func(ctx context.Context, to *chromedp.Target) ([]byte, error) {
			got, err := cdp.Call(ctx, to, page.CaptureScreenshot, page.CaptureScreenshotParams{CaptureBeyondViewport: &beyond, Clip: clip})
			if err != nil {
				return nil, err
			}
			return got.Data, nil
		})
		file := name
		if at > 0 {
			file += fmt.Sprintf("-%d", 1+int(at/pictureHeight))
		}
		if err := os.WriteFile(filepath.Join(shots, file+".png"), png, 0o644); err != nil {
			v.t.Error(err)
		}
	}
}

// touching lists the buttons that stand below another one without a gap between them.
const touching = `(() => {
	const all = [...document.querySelectorAll("button")].filter(b => b.checkVisibility()).map(b => [b.textContent, b.getBoundingClientRect()]);
	const beside = (a, b) => a !== b && a.left < b.right && b.left < a.right && a.top <= b.top && b.top - a.bottom < 2;
	return all.flatMap(([name, a]) => all.filter(([, b]) => beside(a, b)).map(([other]) => name + " and " + other));
})()`

// tidy checks what holds for every page: nothing is wrong on the console, nothing
// leads out of the page at its sides, no buttons touch, and axe finds nothing serious.
func (v *visitor) tidy(name string) {
	v.t.Helper()
	if over := eval[int](v, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
		v.t.Errorf("%s is %d pixels too wide", name, over)
	}
	for _, pair := range eval[[]string](v, touching) {
		v.t.Errorf("%s: the buttons %s touch", name, pair)
	}
	for _, w := range v.complaints() {
		v.t.Errorf("%s: %s", name, w)
	}
	if axe == "" {
		return
	}
	source, err := os.ReadFile(axe)
	if err != nil {
		v.t.Fatal(err)
	}
	eval[chromedp.Void](v, string(source)+";undefined")
	found := eval[[]string](v, `axe.run().then(r => r.violations.filter(v => ["serious","critical"].includes(v.impact)).map(
		v => v.id + ": " + v.nodes.map(n => n.target + " " + n.failureSummary).slice(0, 2).join("; ")))`)
	for _, f := range found {
		v.t.Errorf("%s: %s", name, f)
	}
}

// name is a page as the name of a file.
func name(path string) string {
	word, _, _ := strings.Cut(path, "?")
	if word == "" {
		return "overview"
	}
	return word
}

// TestPages: every page shows itself with any number of memories, wide and narrow,
// light and dark.
func TestPages(t *testing.T) {
	for _, n := range sizes() {
		dir := repository(t, n)
		for _, look := range looks() {
			t.Run(fmt.Sprintf("%d memories at %s", n, look), func(t *testing.T) {
				v := visit(t, dir, look.width, look.dark)
				all, says := pages, "3 memories to review"
				if n == 0 {
					says = "cortex backfill"
				}
				if text := v.open(""); !strings.Contains(text, says) {
					t.Errorf("the overview says %q", text)
				}
				if n > 0 {
					v.open("memories")
					link := eval[string](v, `document.querySelector(".row a").getAttribute("href")`)
					all = append(slices.Clone(pages), strings.TrimPrefix(link, "/r/0/"))
				}
				for _, path := range all {
					v.open(path)
					if name(path) == "graph" && n > 0 {
						do(v, chromedp.WaitVisible(chromedp.CSS("#graph")))
					}
					v.shoot(fmt.Sprintf("%d-%s-%s", n, look, strings.ReplaceAll(name(path), "/", "-")))
					v.tidy(path)
				}
			})
		}
	}
}

// waiting makes a repository in which n invented memories of one session wait.
func waiting(t *testing.T, n int) (dir, transcript string) {
	t.Helper()
	dir = repository(t, 0)
	var said strings.Builder
	for i := range n {
		fmt.Fprintf(&said, "[MEMORY: gotcha] Pump %d of the plant answers only when register %d is set to %d and its lid is shut.\n\n", i, 4000+i, 7*i)
	}
	var lines strings.Builder
	for i, m := range []map[string]any{
		{"type": "user", "message": map[string]any{"role": "user", "content": "What did we learn?"}},
		{"type": "assistant", "message": map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "text", "text": said.String()}}}},
	} {
		m["sessionId"], m["uuid"], m["cwd"], m["timestamp"] = "s-1", fmt.Sprint("u", i), dir, "2026-11-03T09:00:00Z"
		m["version"], m["parentUuid"], m["isSidechain"] = "2.1.330", nil, false
		out, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(out, '\n'))
	}
	file := filepath.Join(t.TempDir(), "s-1.jsonl")
	if err := os.WriteFile(file, []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, dir, cortex, "capture", "-q", file)
	return dir, file
}

// waits is how many memories wait in a repository.
func waits(t *testing.T, dir string) int {
	t.Helper()
	var list struct{ Memories []struct{ ID string } }
	if err := json.Unmarshal([]byte(run(t, dir, cortex, "review", "--json")), &list); err != nil {
		t.Fatal(err)
	}
	return len(list.Memories)
}

// TestTriage: a person decides about 200 memories by keys alone. The page is loaded once, each key shows the next card
// at once, what is taken back comes back in its place, and nothing that was decided is asked again.
func TestTriage(t *testing.T) {
	const n = 200
	dir, transcript := waiting(t, n)
	v := visit(t, dir, 1280, false)
	v.open("review")
	eval[chromedp.Void](v, `window.once = true; undefined`)
	at := func() string { return eval[string](v, `document.querySelector(".card.at")?.id || ""`) }
	press := func(key string) {
		t.Helper()
		do(v, chromedp.KeyEvent(key))
	}
	settled := func(want string) {
		t.Helper()
		do(v, chromedp.Poll[bool](fmt.Sprintf(`document.getElementById("said").textContent.includes(%q)`, want), chromedp.WithPollingTimeout(2*time.Minute)))
	}
	if shown := eval[int](v, `[...document.querySelectorAll(".card")].filter(c => c.checkVisibility()).length`); shown != 1 {
		t.Errorf("%d cards are shown", shown)
	}
	first := at()
	press("r")
	if second := at(); second == first || second == "" {
		t.Errorf("after a key the card is %q", second)
	}
	settled("Rejected")
	press("u")
	if back := at(); back != first {
		t.Errorf("undo shows %q, want %q", back, first)
	}
	settled("Undone")
	press("s")
	press("u")
	if back := at(); back != first {
		t.Errorf("undo of later shows %q, want %q", back, first)
	}
	press("o")
	settled("note")
	press("a")
	settled("Accepted")
	began := time.Now()
	for range n - 2 {
		press("r")
	}
	t.Logf("%d keys in %s", n-2, time.Since(began))
	if text := v.see("#left"); text != "That was everything." {
		t.Errorf("at the end it says %q", text)
	}
	for began := time.Now(); waits(t, dir) > 0 && time.Since(began) < 5*time.Minute; {
		time.Sleep(time.Second)
	}
	t.Logf("all stored after %s", time.Since(began))
	if !eval[bool](v, `window.once === true`) {
		t.Error("the page was loaded anew")
	}
	if staged := run(t, dir, "git", "diff", "--cached", "--name-only"); strings.Count(staged, "memories/") != 1 {
		t.Errorf("staged is %q", staged)
	}
	run(t, dir, cortex, "capture", "-q", transcript)
	if left := waits(t, dir); left != 0 {
		t.Errorf("%d are asked about again", left)
	}
	v.tidy("the review")
}

// TestReview: cards are reworded and their decisions taken back, wide and narrow, light and dark.
func TestReview(t *testing.T) {
	dir, _ := waiting(t, 12)
	for _, look := range looks() {
		v := visit(t, dir, look.width, look.dark)
		if text := v.open("review"); !strings.Contains(text, "worth a look first") {
			t.Errorf("the review says %q", text)
		}
		v.shoot("queue-" + look.String())
		v.tidy("the review at " + look.String())
	}
	v := visit(t, dir, 1280, false)
	v.open("review")
	do(v, chromedp.KeyEvent("e"))
	do(v, chromedp.WaitVisible(chromedp.CSS(".card.at textarea")))
	eval[chromedp.Void](v, `(() => { const box = document.querySelector(".card.at textarea"); box.value = box.value.replace(/Pump/g, "Boiler"); })()`)
	do(v, chromedp.Click(chromedp.CSS(".card.at details form button")))
	do(v, chromedp.Poll[bool](`document.querySelector(".card.at h2").textContent.includes("Boiler")`))
	do(v, chromedp.KeyEvent("a"))
	do(v, chromedp.Poll[bool](`document.getElementById("said").textContent.includes("Accepted")`))
	if left := waits(t, dir); left != 11 {
		t.Errorf("%d wait after one was reworded and accepted", left)
	}
	do(v, chromedp.KeyEvent("u"))
	do(v, chromedp.Poll[bool](`document.getElementById("said").textContent.includes("Undone")`))
	if title := v.see(".card.at h2"); !strings.Contains(title, "Boiler") || waits(t, dir) != 12 {
		t.Errorf("after undo the card is %q", title)
	}
	v.tidy("the review")
}

// TestSeveral: a key is about all cards that are chosen, and one undo takes all of it back, in place and still chosen.
func TestSeveral(t *testing.T) {
	dir, _ := waiting(t, 12)
	v := visit(t, dir, 1280, false)
	v.open("review")
	press := func(keys ...string) {
		t.Helper()
		for _, key := range keys {
			do(v, chromedp.KeyEvent(key))
		}
	}
	said := func(want string) {
		t.Helper()
		v.until(fmt.Sprintf(`document.getElementById("said").textContent.includes(%q)`, want))
	}
	order := `[...document.querySelectorAll("#titles li:not([hidden]) a")].map(a => a.hash).join()`
	before := eval[string](v, order)
	first := eval[string](v, `document.querySelector(".card.at").id`)
	press("x", "J", "J")
	if text := v.see("#ticked"); !strings.Contains(text, "3 chosen") {
		t.Errorf("it says %q", text)
	}
	v.shoot("several-1280-light")
	press("r")
	said("3 done, the last: Rejected")
	if left := waits(t, dir); left != 9 {
		t.Errorf("%d wait after three were rejected at once", left)
	}
	press("u")
	said("Undone")
	v.until(`document.getElementById("left").textContent.startsWith("12 ") || document.getElementById("left").textContent.includes("12 more")`)
	if back := eval[string](v, order); back != before {
		t.Errorf("after undo the order is %q, before %q", back, before)
	}
	if at := eval[string](v, `document.querySelector(".card.at").id`); at != first {
		t.Errorf("undo shows %q, want %q", at, first)
	}
	for began := time.Now(); waits(t, dir) != 12 && time.Since(began) < time.Minute; {
		time.Sleep(100 * time.Millisecond)
	}
	press("s")
	said("they are last now")
	press("u")
	if back := eval[string](v, order); back != before {
		t.Errorf("after undo of later the order is %q, before %q", back, before)
	}
	press(kb.Escape)
	boxes := `[...document.querySelectorAll("#titles li:not([hidden]) input")]`
	eval[chromedp.Void](v, boxes+`[1].click(); `+boxes+`[5].dispatchEvent(new MouseEvent("click", {bubbles: true, shiftKey: true})); undefined`)
	if text := v.see("#ticked"); !strings.Contains(text, "5 chosen") {
		t.Errorf("after a click with shift it says %q", text)
	}
	press("o")
	said("5 done")
	if left := waits(t, dir); left != 7 {
		t.Errorf("%d wait after five became notes", left)
	}
	v.tidy("the review")
}

// TestLive: an open page tells within a second what happened, and the overview follows it. The address of the next start
// is the same, and the browser is still let in.
func TestLive(t *testing.T) {
	dir := repository(t, 10)
	v := visit(t, dir, 1280, false)
	v.open("")
	do(v, chromedp.Poll[bool](`document.getElementById("waits").textContent === "3"`))
	run(t, dir, cortex, "remember", "-q", "--pending", "Sluices open at noon.")
	began := time.Now()
	do(v, chromedp.Poll[bool](`document.getElementById("waits").textContent === "4" && document.getElementById("now").textContent.includes("Sluices")`,
		chromedp.WithPollingInterval(20*time.Millisecond)))
	t.Logf("told after %s: %s", time.Since(began), v.see("#live"))
	if took := time.Since(began); took > 2*time.Second { // half of it is looking again
		t.Errorf("it took %s", took)
	}
	v.tidy("the overview")
	kept, err := os.ReadFile(filepath.Join(dir, ".git", "cortex", "ui"))
	if err != nil || !strings.HasPrefix(string(kept), v.origin[strings.LastIndex(v.origin, ":")+1:]+" ") {
		t.Errorf("kept is %q, %v; the address is %s", kept, err, v.origin)
	}
	v.stop()
	again := visit(t, dir, 1280, false)
	if again.origin != v.origin {
		t.Errorf("it is at %s now, and was at %s", again.origin, v.origin)
	}
	if text := v.open("memories"); !strings.Contains(text, "Sluices") {
		t.Errorf("the browser that was let in sees %q", text)
	}
	_ = v.complaints() // of the connection that was lost
}

// TestDifference: a memory that would replace another is compared with it, wide and
// narrow, light and dark.
func TestDifference(t *testing.T) {
	dir := repository(t, 0)
	run(t, dir, cortex, "remember", "-q", "--type", "decision", "--tag", "cache",
		"The cache keeps pages for ten minutes. Readers accept pages that are old.\n\nIt is "+strings.Repeat("very ", 40)+"simple.")
	var list struct{ Memories []struct{ ID string } }
	if err := json.Unmarshal([]byte(run(t, dir, cortex, "list", "--json")), &list); err != nil {
		t.Fatal(err)
	}
	run(t, dir, cortex, "remember", "-q", "--pending", "--type", "decision", "--supersedes", list.Memories[0].ID,
		"The cache keeps pages for an hour. Readers accept pages that are old.\n\nIt is "+strings.Repeat("quite ", 40)+"simple.\n- measured in May")
	for _, look := range looks() {
		v := visit(t, dir, look.width, look.dark)
		v.open("review")
		if removed, added := v.see(".lines del"), v.see(".lines ins"); !strings.HasPrefix(removed, "− ") || !strings.HasPrefix(added, "+ ") {
			t.Errorf("the lines are %q and %q", removed, added)
		}
		v.shoot("difference-" + look.String())
		v.tidy("the review at " + look.String())
	}
}

// TestSearch: results follow what is typed, and keys lead to them.
func TestSearch(t *testing.T) {
	v := visit(t, repository(t, 300), 1280, false)
	v.open("memories")
	do(v, chromedp.SendKeys(chromedp.CSS("#q"), "type:gotcha tokenizer"))
	v.see("#found ol mark")
	if where := do(v, chromedp.Location()); !strings.Contains(where, "q=type") {
		t.Errorf("the address is %s", where)
	}
	eval[chromedp.Void](v, `document.getElementById("q").blur()`)
	do(v, chromedp.KeyEvent("j"))
	v.until(`document.querySelector("#beside article h1")?.textContent.includes("tokenizer")`)
	v.tidy("a list with a memory beside it")
	do(v, chromedp.KeyEvent("\r"))
	v.until(`!!document.querySelector("main > article h1")`)
	if title := v.see("main > article h1"); !strings.Contains(title, "tokenizer") {
		t.Errorf("it opened %q", title)
	}
	v.tidy("a memory")
}

// TestPalette: a few letters lead to a page, a type or a memory, wide and narrow, light and dark.
func TestPalette(t *testing.T) {
	dir := repository(t, 10)
	for _, look := range looks() {
		v := visit(t, dir, look.width, look.dark)
		v.open("memories")
		do(v, chromedp.KeyEvent(":"))
		v.see("#palette")
		do(v, chromedp.SendKeys(chromedp.CSS("#palette input"), "briefing 8"))
		do(v, chromedp.Poll[bool](`document.querySelectorAll("#palette ul:last-of-type li").length > 1`))
		v.shoot("palette-" + look.String())
		v.tidy("the palette at " + look.String())
		do(v, chromedp.KeyEvent(kb.ArrowDown))
		do(v, chromedp.KeyEvent(kb.ArrowDown))
		do(v, chromedp.KeyEvent("\r"))
		v.until(`!!document.querySelector("main > article h1")`)
		if title := v.see("main > article h1"); !strings.Contains(title, "case 8") {
			t.Errorf("it opened %q", title)
		}
		eval[chromedp.Void](v, `document.dispatchEvent(new KeyboardEvent("keydown", {key: "k", ctrlKey: true})); undefined`)
		do(v, chromedp.SendKeys(chromedp.CSS("#palette input"), "timel"))
		do(v, chromedp.KeyEvent("\r"))
		v.until(`location.pathname.endsWith("/timeline")`)
		if title := v.see("main > h1"); !strings.Contains(title, "day by day") {
			t.Errorf("it went to %q", title)
		}
	}
}

// TestTimeline: sessions stand day by day, in the lanes of their branches, with what they kept.
func TestTimeline(t *testing.T) {
	dir, _ := waiting(t, 3)
	for _, look := range looks() {
		v := visit(t, dir, look.width, look.dark)
		if text := v.open("timeline"); !strings.Contains(text, "Tuesday, 3 November 2026") || !strings.Contains(text, "Pump 1") {
			t.Errorf("the timeline says %q", text)
		}
		v.see(".lane.n0")
		v.shoot("timeline-" + look.String())
		v.tidy("the timeline at " + look.String())
	}
}

// TestMute: a key mutes a line of the briefing; the page says what it costs then, and has it told again.
func TestMute(t *testing.T) {
	dir := repository(t, 0)
	run(t, dir, cortex, "remember", "-q", "--type", "preference", "Always use tabs in this repository.")
	for _, look := range looks() {
		v := visit(t, dir, look.width, look.dark)
		v.open("briefing")
		do(v, chromedp.KeyEvent("j"))
		do(v, chromedp.KeyEvent("m"))
		v.until(`!!document.querySelector(".told")`)
		if told := v.see(".told"); !strings.HasPrefix(told, "Muted in this clone: “Always use tabs") {
			t.Errorf("it says %q", told)
		}
		v.shoot("muted-" + look.String())
		v.tidy("the briefing at " + look.String())
		do(v, chromedp.Click(chromedp.CSS(`form[action$="unmute"] button`)))
		v.until(`document.querySelector(".told")?.textContent.startsWith("Told again") === true`)
	}
}

// TestGraphFilter: the picture is cut down to a type, and to words of titles.
func TestGraphFilter(t *testing.T) {
	v := visit(t, repository(t, 300), 1920, false)
	v.open("graph")
	do(v, chromedp.Click(chromedp.CSS(`.facets a[href$="type=gotcha"]`)))
	v.until(`!!document.querySelector(".facets [aria-current]")`)
	if kept := eval[string](v, `document.querySelector("[name=type]").value`); kept != "gotcha" {
		t.Errorf("words are looked for in %q", kept)
	}
	v.open("graph?type=gotcha&q=tokenizer")
	titles := eval[[]string](v, `[...document.querySelectorAll("#graph .t-gotcha title")].map(t => t.textContent)`)
	if all := eval[int](v, `document.querySelectorAll("#graph .dot").length`); all != len(titles) || all == 0 || all > 20 {
		t.Errorf("%d dots, of them %d traps", all, len(titles))
	}
	for _, title := range titles {
		if !strings.Contains(title, "tokenizer") {
			t.Errorf("%q is drawn", title)
		}
	}
	do(v, chromedp.Click(chromedp.CSS("#graph .dot")))
	if title := v.see("#beside article h1"); !strings.Contains(title, "tokenizer") {
		t.Errorf("beside the picture is %q", title)
	}
	v.tidy("the graph")
}

// TestStranger: another page in the browser, another name and another browser get
// nothing.
func TestStranger(t *testing.T) {
	v := visit(t, repository(t, 10), 1280, false)
	v.open("memories")
	foreign := http.NewServeMux()
	foreign.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `<!doctype html><h1>elsewhere</h1><iframe name="f" src="%s/r/0/memories"></iframe>
<form id="form" method="post" action="%s/r/0/review/undo" target="f"><input name="form" value="x"></form><a id="link" href="%s/r/0/memories">a link</a>`, v.origin, v.origin, v.origin)
	})
	on := serve(t, foreign)
	do(v, chromedp.Navigate(on))
	v.see("h1")
	if read := eval[string](v, `fetch("`+v.origin+`/r/0/memories?json", {credentials: "include"}).then(r => r.text(), e => "refused")`); read != "refused" {
		t.Errorf("another page read %q", read)
	}
	if framed := eval[string](v, `(() => { try { return frames[0].document.body.innerText } catch { return "refused" } })()`); framed != "refused" {
		t.Errorf("another page framed %q", framed)
	}
	do(v, chromedp.Click(chromedp.CSS("#link")))
	if text := v.see("main"); !strings.Contains(text, "another site") {
		t.Errorf("a link from another site shows %q", text)
	}
	_, port, _ := strings.Cut(strings.TrimPrefix(v.origin, "http://"), ":")
	do(v, chromedp.Navigate("http://localhost:"+port+"/r/0/memories"))
	if text := v.see("main"); !strings.Contains(text, "another address") {
		t.Errorf("another name shows %q", text)
	}
}

// serve answers on a free port of this machine until the test ends.
func serve(t *testing.T, h http.Handler) (address string) {
	t.Helper()
	ready := make(chan string)
	server := &http.Server{Addr: "127.0.0.1:0", Handler: h, ReadHeaderTimeout: time.Minute}
	go func() { _ = listen(server, ready) }()
	t.Cleanup(func() { _ = server.Close() })
	return <-ready
}

// TestExport: the file shows itself from disk, without a server.
func TestExport(t *testing.T) {
	dir := repository(t, 300)
	file := filepath.Join(t.TempDir(), "memories.html")
	run(t, dir, cortex, "ui", "--export", file)
	v := visit(t, dir, 1280, false)
	do(v, chromedp.Navigate("file://"+file))
	do(v, chromedp.SendKeys(chromedp.CSS("#q"), "case 17 "))
	if text := v.see("#shown"); !strings.HasSuffix(text, " of 303") {
		t.Errorf("it shows %q", text)
	}
	v.shoot("export")
	v.tidy("the export")
}

// look is how a visitor sees a page.
type look struct {
	width int64
	dark  bool
}

func (l look) String() string {
	if l.dark {
		return fmt.Sprint(l.width, "-dark")
	}
	return fmt.Sprint(l.width, "-light")
}

// looks are the ways in which pages are looked at: all four when there are to be
// pictures of them or CORTEX_TESTS=full asks for it, else two that have each width and
// each color scheme once.
func looks() []look {
	if shots != "" || os.Getenv("CORTEX_TESTS") == "full" {
		return []look{{1280, false}, {1280, true}, {360, false}, {360, true}}
	}
	return []look{{1280, false}, {360, true}}
}

// sizes are the numbers of memories that pages are looked at with.
func sizes() []int {
	if os.Getenv("CORTEX_TESTS") == "full" {
		return []int{0, 10, 300, 10_000}
	}
	return []int{0, 10, 300}
}
