package transcript

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// TestWithoutOurs: what a hook said stands in the output of no call, neither where an agent
// puts it behind that nor where it escapes it, and the rest of the output is as it was.
func TestWithoutOurs(t *testing.T) {
	const said = `<!-- cortex:briefing -->\n- fix: error: probe drifted\n<!-- /cortex:briefing -->`
	escaped := strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(said)
	for in, want := range map[string]string{
		`"error: no probe\n\n` + said + `\n"`:                             `"error: no probe"`,
		`"error: no probe\n<hook_context>` + escaped + `</hook_context>"`: `"error: no probe"`,
		`"` + said + `"`:        `""`,
		`"error: no probe\n"`:   `"error: no probe\n"`,
		`{"cortex:briefing":1}`: `{"cortex:briefing":1}`,
	} {
		if got := string(withoutOurs([]byte(in))); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}

// TestOutputsAreOfTools: in recorded sessions, in which hooks of ours said something at calls,
// the output of each call is what the tool printed.
func TestOutputsAreOfTools(t *testing.T) {
	files, err := filepath.Glob("../testdata/recorded/*/[0-9]*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, file := range files {
		data := readFile(t, file)
		in, err := Open(bytes.NewReader(data), Detect(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := in.Start(Position{}, Detect(data)); err != nil {
			t.Fatal(err)
		}
		for err == nil {
			err = in.Next(context.Background(), func(e *Event) {
				if e.Kind == Result && strings.Contains(e.Output, briefingWord) {
					t.Errorf("%s: line %d: %s", file, e.Record, e.Output)
				}
			})
		}
		if err != io.EOF {
			t.Errorf("%s: %v", file, err)
		}
	}
}
