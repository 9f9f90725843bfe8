package main

import (
	"strings"
	"testing"
	"time"
)

func TestCutAndPad(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		n    int
		want string
	}{
		"fits":            {"gauge", 5, "gauge"},
		"one too many":    {"gauges", 5, "gaug…"},
		"no space at end": {"two words", 5, "two…"},
		"wide":            {"潮位計測", 5, "潮位…"},
		"wide, exact":     {"潮位計測", 8, "潮位計測"},
		"combining":       {"e\u0301te\u0301", 3, "e\u0301te\u0301"},
		"lines":           {"one\ntwo", 10, "one two"},
		"control":         {"a\x1b[31mb", 40, "a"},
	} {
		t.Run(name, func(t *testing.T) {
			got := cut(tt.text, tt.n)
			if name == "control" {
				if strings.ContainsRune(got, 0x1b) {
					t.Errorf("%q acts on a terminal", got)
				}
				return
			}
			if got != tt.want || columns(got) > tt.n {
				t.Errorf("cut = %q in %d columns, want %q in %d", got, columns(got), tt.want, tt.n)
			}
			if p := pad(got, tt.n+2); columns(p) != tt.n+2 {
				t.Errorf("pad is %d columns wide, want %d", columns(p), tt.n+2)
			}
		})
	}
}

func TestWrap(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"short":    {"a few words", "| a few words\n"},
		"breaks":   {"a few words that go on", "| a few words\n| that go on\n"},
		"its own":  {"one\ntwo\n", "| one\n| two\n"},
		"indented": {"  list item that goes on", "|   list item\n|   that goes on\n"},
		"one long": {"abcdefghijklmnopqrstuvwxyz", "| abcdefghijklmnopqrstuvwxyz\n"},
		"empty":    {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := wrap(tt.text, 17, "| "); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

// TestPrinterIsSafe: whatever a memory or a file name holds, only our own
// styles reach the terminal.
func TestPrinterIsSafe(t *testing.T) {
	evil := "a\x1b[2Jb\x07\x9b31m\u202Ed\rover\U000E0041\ue001bold\ue000\ue005red"
	for _, color := range []bool{false, true} {
		var b strings.Builder
		p := &printer{w: &b, color: color, width: 80}
		p.printf("%s %s %s %q\n", bold("title"), evil, warn(evil), evil)
		p.hang(dim("row "), join(unstyled(evil), good(evil)))
		out := b.String()
		if color {
			for _, code := range []string{"\x1b[1mtitle\x1b[0m ", "\x1b[33m", "\x1b[2m", "\x1b[32m"} {
				if strings.Count(out, code) != 1 {
					t.Errorf("%d times %q in %q", strings.Count(out, code), code, out)
				}
				out = strings.ReplaceAll(out, code, "")
			}
			out = strings.ReplaceAll(out, "\x1b[0m", "")
		}
		if i := strings.IndexAny(out, "\x1b\x07\r\u009b\u202e\U000E0041"); i >= 0 {
			t.Errorf("colour %v: %q acts on a terminal", color, b.String())
		}
		if !strings.Contains(out, "\ue001bold\ue000\ue005red") {
			t.Errorf("colour %v: private characters are gone: %q", color, out)
		}
	}
}

// TestStyledText: a text is laid out as its words are, and keeps its styles.
func TestStyledText(t *testing.T) {
	x := join(unstyled("one "), bold("two words of 潮位計測潮位"), unstyled(" and\n  "), warn("more of it"))
	for _, n := range []int{9, 12, 20, 80} {
		got := x.broken(n).wrap(n, nil)
		if want := wrap(unstyled(x.String()).broken(n).String(), n, ""); got.String() != want {
			t.Errorf("in %d columns\n%swant\n%s", n, got, want)
		}
		for _, line := range got.lines() {
			if line.columns() > n {
				t.Errorf("%d columns, at most %d: %q", line.columns(), n, line)
			}
		}
		var b strings.Builder
		(&printer{w: &b, color: true, width: n}).printf("%s", got)
		for line := range strings.Lines(b.String()) {
			if strings.Count(line, "\x1b[0m") != strings.Count(line, "\x1b[1m")+strings.Count(line, "\x1b[33m") {
				t.Errorf("a style goes past the line: %q", line)
			}
		}
		if bolds := inStyle(got, inBold); bolds != "twowordsof潮位計測潮位" {
			t.Errorf("in %d columns these are bold: %q", n, bolds)
		}
	}
}

// inStyle is what of a text has a style, without spaces.
func inStyle(t text, want style) string {
	var b strings.Builder
	for _, s := range t {
		if s.style == want {
			b.WriteString(strings.Join(strings.Fields(s.words), ""))
		}
	}
	return b.String()
}

func TestAgo(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "just now", 0: "just now", 59 * time.Second: "just now",
		time.Minute: "1 minute ago", 59 * time.Minute: "59 minutes ago",
		time.Hour: "1 hour ago", 47 * time.Hour: "1 day ago", 59 * 24 * time.Hour: "59 days ago",
		60 * 24 * time.Hour: "2 months ago", 800 * 24 * time.Hour: "2 years ago",
	} {
		if got := ago(d); got != want {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
	}
}

func TestRelativeTo(t *testing.T) {
	root := t.TempDir()
	for path, want := range map[string]string{"a.go": "sub/a.go", "../b.go": "b.go", "./c/d.go": "sub/c/d.go", root + "/e.go": "e.go"} {
		if got, err := relativeTo(root, root+"/sub", path); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", path, got, err, want)
		}
	}
	for _, path := range []string{"../../x", "/etc/passwd", "..", root} {
		if got, err := relativeTo(root, root+"/sub", path); err == nil {
			t.Errorf("%s: %q, want an error", path, got)
		}
	}
}
