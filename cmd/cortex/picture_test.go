package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/renderer/html"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
)

// TestDemoPicture: the picture of the demo shows the scenes and the commands that cortex demo
// has. What is captured in them may differ by a word until it is drawn again:
//
//	go test ./cmd/cortex -run TestDemoPicture -update
func TestDemoPicture(t *testing.T) {
	played := playDemo(t)
	holdPicture(t, "demo.svg", drawScenes(demoScenes(t, played.text)))
	holdPicture(t, "briefing.svg", drawBriefing(played.later(t, "brief")))
	holdPicture(t, "pull-request.svg", drawComment(t, played.pullRequest(t)))
}

// holdPicture compares a picture of docs with what it would be now.
func holdPicture(t *testing.T, name, drawn string) {
	t.Helper()
	if err := xml.Unmarshal([]byte(drawn), new(struct{})); err != nil {
		t.Fatalf("%s is no XML: %v\n%s", name, err, drawn)
	}
	path := filepath.Join("..", "..", "docs", name)
	if *updateManual {
		if err := os.WriteFile(path, []byte(drawn), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(outline(drawn), outline(string(old))); diff != "" {
		t.Errorf("docs/%s shows something else; run: go test ./cmd/cortex -run TestDemoPicture -update\n(-now +picture):\n%s", name, diff)
	}
}

// outline are the titles, headings and commands in a picture.
func outline(picture string) (lines []string) {
	tag := regexp.MustCompile(`<[^>]*>`)
	for line := range strings.Lines(picture) {
		text := strings.TrimSpace(tag.ReplaceAllString(line, ""))
		if regexp.MustCompile(`^\d\. |^\$ |^#+ |^Cortex: `).MatchString(text) {
			lines = append(lines, text)
		}
	}
	return lines
}

// playedDemo is a demo that was played on a terminal with colours, and the repository it left.
type playedDemo struct {
	s    *streams
	text string
}

func playDemo(t *testing.T) playedDemo {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	env := []string{"PATH=" + os.Getenv("PATH")}
	for key, value := range hermeticGit(filepath.Join(t.TempDir(), "home")) {
		env = append(env, key+"="+value)
	}
	s := &streams{
		in: strings.NewReader(""), environ: env, dir: t.TempDir(), exe: "cortex", terminal: true, width: 80,
		getenv: func(key string) string { return lookup(append([]string{"TERM=xterm"}, env...), key) },
		now:    func() time.Time { return time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC) },
	}
	played := playedDemo{s: s}
	text, rest, _ := strings.Cut(played.printed(t, "demo"), "Done in ")
	_, rest, _ = strings.Cut(rest, "yours to explore: ")
	s.dir, _, _ = strings.Cut(rest, "\n")
	s.terminal = false
	played.text = sameHashes(text)
	return played
}

// later runs a command where the demo was played, and returns what it prints, with hashes as in every run.
func (d playedDemo) later(t *testing.T, args ...string) string {
	t.Helper()
	return sameHashes(d.printed(t, args...))
}

// printed runs a command and returns what it prints as it is: the name of a temporary folder may look like a hash.
func (d playedDemo) printed(t *testing.T, args ...string) string {
	t.Helper()
	var out, stderr bytes.Buffer
	d.s.out, d.s.err = &out, &stderr
	if code := run(t.Context(), d.s, args); code != exitOK {
		t.Fatalf("cortex %q: exit code %d: %s", args, code, stderr.String())
	}
	return out.String()
}

// pullRequest goes on where the demo ends: a branch replaces a decision and changes the code that
// a trap is about. It returns the comment on that branch.
func (d playedDemo) pullRequest(t *testing.T) string {
	t.Helper()
	git := func(args ...string) {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = d.s.dir, d.s.environ
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	d.later(t, "remember", "--type", "gotcha", "--file", "store/store.go",
		"A reading without a time is not zero but missing, because the old gauges send no clock.")
	git("add", ".")
	git("commit", "-q", "-m", "note about missing times")
	git("switch", "-q", "-c", "sync-after-ten")
	code := "// Package store keeps tide gauge readings.\npackage store\n\n// SyncEvery is how many readings a power cut may take.\nconst SyncEvery = 10\n"
	if err := os.WriteFile(filepath.Join(d.s.dir, "store", "store.go"), []byte(code), 0o666); err != nil {
		t.Fatal(err)
	}
	d.later(t, "remember", "--type", "decision", "--file", "store/store.go", "--supersedes", d.id(t, "Once a minute for all gauges"),
		"Sync after every tenth reading. Once a minute lost half an hour in the October storm, because the board rebooted in a loop.")
	git("add", ".")
	git("commit", "-q", "-m", "store: sync after every tenth reading")
	return d.later(t, "diff", "--markdown")
}

// id is the beginning of the id of the memory with a title.
func (d playedDemo) id(t *testing.T, title string) string {
	t.Helper()
	for line := range strings.Lines(d.later(t, "list")) {
		if strings.Contains(line, title) {
			return strings.Fields(line)[0]
		}
	}
	t.Fatalf("no memory has the title %q", title)
	return ""
}

// demoScenes returns the scenes of a demo on pages, line by line.
func demoScenes(t *testing.T, text string) [][]string {
	t.Helper()
	title := regexp.MustCompile(`^(?:\x1b\[[0-9;]*m)*\d\. `)
	var scenes [][]string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if title.MatchString(line) {
			scenes = append(scenes, nil)
		}
		if n := len(scenes); n > 0 {
			scenes[n-1] = append(scenes[n-1], line)
		}
	}
	if len(scenes) < 5 {
		t.Fatalf("the demo has %d scenes:\n%s", len(scenes), text)
	}
	return pages(scenes)
}

// sameHashes puts hashes that are the same in every run in the place of those that
// hold the time.
func sameHashes(text string) string {
	seen := map[string]string{}
	return regexp.MustCompile(`\b[0-9a-f]{8}(?:[0-9a-f]{4})?\b`).ReplaceAllStringFunc(text, func(hash string) string {
		if seen[hash] == "" {
			seen[hash] = fmt.Sprintf("%x", sha256.Sum256([]byte{byte(len(seen))}))[:len(hash)]
		}
		return seen[hash]
	})
}

// pages puts scenes that follow each other onto one page, where they have room.
func pages(scenes [][]string) (out [][]string) {
	for _, scene := range scenes {
		for len(scene) > 0 && strings.TrimSpace(scene[len(scene)-1]) == "" {
			scene = scene[:len(scene)-1]
		}
		if n := len(out); n > 0 && len(out[n-1])+1+len(scene) <= pictureLines {
			out[n-1] = append(append(out[n-1], ""), scene...)
		} else {
			out = append(out, scene)
		}
	}
	return out
}

const (
	pictureLines   = 27 // of a page; the rest is left out
	pictureSeconds = 7  // that a page is shown
)

// drawScenes draws the pages of the demo, one after the other, without a script.
func drawScenes(scenes [][]string) string {
	total, each := len(scenes)*pictureSeconds, 100.0/float64(len(scenes))
	style := fmt.Sprintf(`.s { opacity: 0; animation: s %ds step-end infinite; }
@keyframes s { 0%% { opacity: 1; } %.3f%% { opacity: 0; } }
`, total, each)
	var b strings.Builder
	for i, scene := range scenes {
		if len(scene) > pictureLines {
			scene = append(scene[:pictureLines-1:pictureLines-1], fmt.Sprintf("   … %d more lines", len(scene)-pictureLines+1))
		}
		fmt.Fprintf(&b, "<g class=\"s\" style=\"animation-delay: %ds\">\n%s</g>\n", i*pictureSeconds, terminalLines(scene))
	}
	label := fmt.Sprintf("cortex demo in a terminal: %d pages, from a session of an agent to the briefing of the next", len(scenes))
	return drawTerminal(label, 80, pictureLines, style, b.String())
}

const lineHeight, pictureMargin = 18, 16

// drawTerminal draws a terminal of so many columns and lines.
func drawTerminal(label string, columns, lines int, style, body string) string {
	const columnWidth = 783 // in hundredths
	width, height := columns*columnWidth/100+2*pictureMargin, lines*lineHeight+2*pictureMargin
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e6edf3; white-space: pre; }
.b { font-weight: bold; fill: #ffffff; } .d { fill: #8b949e; } .g { fill: #3fb950; } .y { fill: #d29922; } .r { fill: #f85149; } .c { fill: #79c0ff; }
%s</style>
<rect width="100%%" height="100%%" rx="8" fill="#0d1117"/>
%s</svg>
`, width, height, width, height, label, style, body)
}

func terminalLines(lines []string) string {
	var b strings.Builder
	for n, line := range lines {
		fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\">%s</text>\n", pictureMargin, pictureMargin+13+n*lineHeight, spans(line))
	}
	return b.String()
}

// drawBriefing draws what stands between the two lines of evidence, an entry a line.
func drawBriefing(brief string) string {
	const columns = 104
	lines := []string{"\x1b[32m$ cortex brief\x1b[0m", "\x1b[2m…\x1b[0m"}
	text := strings.Split(brief, "===\n")[1]
	text, _, _ = strings.Cut(text, "=== end")
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = console.Shorten(strings.TrimRight(line, "\n"), columns)
		if strings.HasPrefix(line, "## ") {
			line = "\x1b[1m" + line + "\x1b[0m"
		}
		lines = append(lines, line)
	}
	return drawTerminal("what an agent is told when a session starts", columns, len(lines), "", terminalLines(lines))
}

// drawComment draws a comment as the page of a pull request does.
func drawComment(t *testing.T, comment string) string {
	t.Helper()
	var b strings.Builder
	comment = strings.ReplaceAll(strings.TrimPrefix(comment, "<!-- cortex:diff -->\n"), "<br>", "<br/>")
	if err := goldmark.New(goldmark.WithRendererOptions(html.WithXHTML(), html.WithUnsafe())).Convert([]byte(comment), &b); err != nil {
		t.Fatal(err)
	}
	const width, height = 840, 440
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="the comment of Cortex on a pull request">
<style>
.comment { box-sizing: border-box; height: %dpx; border: 1px solid #d0d7de; border-radius: 6px; overflow: hidden; background: #ffffff; color: #1f2328; font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
.comment > p { margin: 0; padding: 8px 16px; background: #f6f8fa; border-bottom: 1px solid #d0d7de; color: #59636e; }
.comment > div { padding: 0 16px; }
h3 { font-size: 18px; margin: 14px 0 10px; } h4 { font-size: 14px; margin: 14px 0 8px; }
p, ul { margin: 8px 0; } ul { padding-left: 24px; } blockquote { margin: 8px 0; padding: 0 14px; border-left: 4px solid #d0d7de; color: #59636e; }
code { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; background: rgba(129, 139, 152, .18); border-radius: 6px; padding: 2px 5px; }
sub { font-size: 11px; line-height: 1.6; vertical-align: baseline; }
@media (prefers-color-scheme: dark) {
.comment { background: #0d1117; color: #f0f6fc; border-color: #3d444d; }
.comment > p { background: #151b23; border-color: #3d444d; color: #9198a1; } blockquote { border-color: #3d444d; color: #9198a1; }
}
</style>
<foreignObject width="100%%" height="100%%">
<div class="comment" xmlns="http://www.w3.org/1999/xhtml">
<p><b>cortex</b> commented on this pull request</p>
<div>
%s</div>
</div>
</foreignObject>
</svg>
`, width, height, width, height, height, b.String())
}

// spans turns the styles of a terminal into those of the picture.
func spans(line string) string {
	classes := map[string]string{"1": "b", "2": "d", "31": "r", "32": "g", "33": "y", "36": "c", "1;33": "y"}
	var b strings.Builder
	class := ""
	for i, part := range strings.Split(line, "\x1b[") {
		if i > 0 {
			code, rest, _ := strings.Cut(part, "m")
			class, part = classes[code], rest
		}
		if part == "" {
			continue
		}
		var text bytes.Buffer
		_ = xml.EscapeText(&text, []byte(part))
		if class == "" {
			b.Write(text.Bytes())
		} else {
			fmt.Fprintf(&b, `<tspan class="%s">%s</tspan>`, class, text.Bytes())
		}
	}
	return b.String()
}
