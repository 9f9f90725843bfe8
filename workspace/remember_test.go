package workspace

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTitleOf(t *testing.T) {
	long := strings.Repeat("word ", 30) + "end"
	for name, tt := range map[string]struct{ text, title, body string }{
		"one sentence": {"Readings are stored in UTC.", "Readings are stored in UTC", ""},
		"no full stop": {"Readings are stored in UTC", "Readings are stored in UTC", ""},
		"two sentences": {
			"Readings are stored in UTC. Two gauges sit across a border.",
			"Readings are stored in UTC", "Two gauges sit across a border.",
		},
		"a question": {"Who reads alerts at night? Nobody said.", "Who reads alerts at night?", "Nobody said."},
		"lines":      {"Clean the cache\nbefore the release.\n", "Clean the cache", "before the release."},
		"both": {
			"Clean the cache first. Always.\nIt is cheap.", "Clean the cache first",
			"Always.\nIt is cheap.",
		},
		"a version": {"We pin Go 1.26 because 1.27 breaks the build. See the log.", "We pin Go 1.26 because" +
			" 1.27 breaks the build", "See the log."},
		"version at end": {"We stay on Go 1.26. The next one breaks.", "We stay on Go 1.26", "The next one breaks."},
		"abbreviation": {
			"Store times in one zone, e.g. UTC. Convert late.", "Store times in one zone, e.g. UTC",
			"Convert late.",
		},
		"lower case after": {
			"Prefer append-only files etc. over a server. Cheap.",
			"Prefer append-only files etc. over a server", "Cheap.",
		},
		"too short to be": {"No cgo. It breaks cross builds. Ask Ada.", "No cgo. It breaks cross builds", "Ask Ada."},
		"long first line": {long + "\nmore", long, long + "\nmore"},
		"space around":    {"  \n Readings are in UTC \n", "Readings are in UTC", ""},
		"empty":           {" \n\t ", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			title, body := titleOf(tt.text)
			if title != tt.title || body != tt.body {
				t.Errorf("got %q and %q, want %q and %q", title, body, tt.title, tt.body)
			}
		})
	}
}

func TestCutTitle(t *testing.T) {
	for name, tt := range map[string]struct{ title, want string }{
		"short":         {"Readings are in UTC", "Readings are in UTC"},
		"lines":         {"Readings\nare  in\tUTC", "Readings are in UTC"},
		"at a space":    {strings.Repeat("word ", 40), strings.TrimRight(strings.Repeat("word ", 31), " ") + "…"},
		"without space": {strings.Repeat("x", 200), strings.Repeat("x", 157) + "…"},
		"inside a rune": {strings.Repeat("ä", 100), strings.Repeat("ä", 78) + "…"},
	} {
		t.Run(name, func(t *testing.T) {
			got := cutTitle(tt.title)
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if len(got) > 160 || !utf8.ValidString(got) {
				t.Errorf("%d bytes, valid %v", len(got), utf8.ValidString(got))
			}
		})
	}
}
