package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const picturePath = "../../docs/demo.svg"

// TestDemoPicture: the picture of the demo shows the scenes and the commands that cortex demo
// has. What is captured in them may differ by a word until it is drawn again:
//
//	go test ./cmd/cortex -run TestDemoPicture -update
func TestDemoPicture(t *testing.T) {
	scenes := demoScenes(t)
	drawn := drawScenes(scenes)
	if err := xml.Unmarshal([]byte(drawn), new(struct{})); err != nil {
		t.Fatalf("the picture is no XML: %v", err)
	}
	path := filepath.FromSlash(picturePath)
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
		t.Errorf("docs/demo.svg shows another demo; run: go test ./cmd/cortex -run TestDemoPicture -update\n(-demo +picture):\n%s", diff)
	}
}

// outline are the titles and commands in a picture.
func outline(picture string) (lines []string) {
	tag := regexp.MustCompile(`<[^>]*>`)
	for line := range strings.Lines(picture) {
		text := strings.TrimSpace(tag.ReplaceAllString(line, ""))
		if regexp.MustCompile(`^\d\. |^\$ `).MatchString(text) {
			lines = append(lines, text)
		}
	}
	return lines
}

// demoScenes plays the demo on a terminal with colours and returns its scenes on pages,
// line by line.
func demoScenes(t *testing.T) [][]string {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	env := []string{"PATH=" + os.Getenv("PATH")}
	for key, value := range hermeticGit(filepath.Join(t.TempDir(), "home")) {
		env = append(env, key+"="+value)
	}
	var out, stderr bytes.Buffer
	s := &streams{
		in: strings.NewReader(""), out: &out, err: &stderr, environ: env, dir: t.TempDir(), exe: "cortex", terminal: true, width: 80,
		getenv: func(key string) string { return lookup(append([]string{"TERM=xterm"}, env...), key) },
		now:    func() time.Time { return time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC) },
	}
	if code := run(t.Context(), s, []string{"demo"}); code != exitOK {
		t.Fatalf("demo: exit code %d: %s", code, stderr.String())
	}
	text, _, _ := strings.Cut(sameHashes(out.String()), "Done in ")
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
		t.Fatalf("the demo has %d scenes:\n%s", len(scenes), out.String())
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
	const columnWidth, lineHeight, margin = 783, 18, 16 // the first in hundredths
	width, height := 80*columnWidth/100+2*margin, pictureLines*lineHeight+2*margin
	total, each := len(scenes)*pictureSeconds, 100.0/float64(len(scenes))
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="cortex demo in a terminal: %d pages, from a session of an agent to the briefing of the next">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e6edf3; white-space: pre; }
.b { font-weight: bold; fill: #ffffff; } .d { fill: #8b949e; } .g { fill: #3fb950; } .y { fill: #d29922; } .r { fill: #f85149; } .c { fill: #79c0ff; }
.s { opacity: 0; animation: s %ds step-end infinite; }
@keyframes s { 0%% { opacity: 1; } %.3f%% { opacity: 0; } }
</style>
<rect width="100%%" height="100%%" rx="8" fill="#0d1117"/>
`, width, height, width, height, len(scenes), total, each)
	for i, scene := range scenes {
		fmt.Fprintf(&b, "<g class=\"s\" style=\"animation-delay: %ds\">\n", i*pictureSeconds)
		if len(scene) > pictureLines {
			scene = append(scene[:pictureLines-1:pictureLines-1], fmt.Sprintf("   … %d more lines", len(scene)-pictureLines+1))
		}
		for n, line := range scene {
			fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\">%s</text>\n", margin, margin+13+n*lineHeight, spans(line))
		}
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
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
