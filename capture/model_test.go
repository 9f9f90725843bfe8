package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
)

func digestOf(t testing.TB, data []byte, opt Options) *Digest {
	t.Helper()
	d, err := ReadDigest(context.Background(), bytes.NewReader(data), opt)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDigest(t *testing.T) {
	token := "ghp_" + strings.Repeat("aB3dE5gH7j", 4)[:36]
	data := talk(
		[3]string{"0s", "Send the tide tables with " + token + " every morning", "a.go"},
		[3]string{"1m", memory.BriefingOpen + " learned long ago " + memory.BriefingClose + "and nothing else", "a.go"})
	d := digestOf(t, data, Options{Agent: transcript.ClaudeCode, Session: "s"})
	prompt := d.Prompt([]string{"A title\nof two lines"})
	for _, want := range []string{"[0] user: Send the tide tables with [redacted: github] every morning", "agent: It is done", "- A title of two lines", "\n<" + d.mark + ">\n"} {
		if !strings.Contains(prompt, want) {
			t.Errorf("no %q in\n%s", want, prompt)
		}
	}
	for _, not := range []string{token, "learned long ago", "old_string"} {
		if strings.Contains(prompt, not) {
			t.Errorf("%q in the prompt", not)
		}
	}
	var long [][3]string
	for i := range 400 {
		long = append(long, [3]string{"1s", fmt.Sprintf("%d %s", i, strings.Repeat("words ", 60)), "a.go"})
	}
	d = digestOf(t, talk(long...), Options{Agent: transcript.ClaudeCode})
	size := 0
	for _, l := range d.Lines {
		size += len(l.Text)
	}
	if size > DigestLimit || size < DigestLimit/2 || d.Lines[len(d.Lines)-1].Record < 1500 {
		t.Errorf("a digest of %d bytes that ends at line %d", size, d.Lines[len(d.Lines)-1].Record)
	}
}

func TestAccept(t *testing.T) {
	token := "ghp_" + strings.Repeat("aB3dE5gH7j", 4)[:36]
	d := digestOf(t, talk([3]string{"0s", "The tables are of the day before until noon", "a.go"}), Options{Agent: transcript.ClaudeCode, Session: "s"})
	item := func(change ...string) string {
		x := `{"type":"gotcha","title":"Tide tables are late","text":"Why not.","record":0,"span":"of the day before until noon","confidence":1}`
		return strings.NewReplacer(change...).Replace(x)
	}
	list := func(items ...string) string { return `{"memories":[` + strings.Join(items, ",") + `]}` }
	for _, c := range []struct {
		name, reply, reason string
		kept                int
	}{
		{"good", list(item()), "", 1},
		{"none", list(), "", 0},
		{"fenced", "```json\n" + list(item()) + "\n```\n", "", 1},
		{"white space in the span", list(item("day before", "day  before")), "", 1},
		{"the same twice", list(item(), item()), "", 1},
		{"too unsure", list(item(`"confidence":1`, `"confidence":0.3`)), "", 0},
		{"nothing but a secret", list(item("Tide tables are late", "token "+token, "Why not.", "")), "", 0},
		{"empty", " \n", "empty", 0},
		{"prose", "Here you are: " + list(item()), "not the JSON", 0},
		{"two objects", list() + list(), "more than one", 0},
		{"array", "[]", "not the JSON", 0},
		{"null", "null", "missing", 0},
		{"unknown field", `{"memories":[],"command":"rm"}`, "not the JSON", 0},
		{"unknown field of a memory", list(item(`"record"`, `"path":"../x","record"`)), "not the JSON", 0},
		{"wrong type of a field", list(item(`"record":0`, `"record":"0"`)), "not the JSON", 0},
		{"field missing", list(item(`"record":0,`, "")), "a field is missing", 0},
		{"type", list(item("gotcha", "idea")), "type", 0},
		{"code", list(item("gotcha", "code")), "type", 0},
		{"title", list(item("Tide tables are late", strings.Repeat("x ", 100))), "title", 0},
		{"title of two lines", list(item("Tide tables", `Tide\ntables`)), "title", 0},
		{"text", list(item("Why not.", strings.Repeat("x", 2001))), "text", 0},
		{"confidence", list(item(`"confidence":1`, `"confidence":7`)), "confidence", 0},
		{"span made up", list(item("of the day before until noon", "of the year before last")), "does not stand", 0},
		{"span elsewhere", list(item(`"record":0`, `"record":3`)), "does not stand", 0},
		{"span too short", list(item("of the day before until noon", "noon")), "span", 0},
		{"too many", list(strings.Split(strings.Repeat(item()+"\n", 13), "\n")[:13]...), "more than 12", 0},
		{"too long", list(item("Why not.", strings.Repeat("x", ModelReply))), "over the limit", 0},
		{"rate limit", "You've hit your usage limit. Try again later.", "rate limit", 0},
		{"rate limit as JSON", `{"error":{"type":"rate_limit_error"}}`, "rate limit", 0},
		{"echo", d.Prompt(nil), "repeats the prompt", 0},
		{"half an echo", modelTask, "repeats the prompt", 0},
	} {
		got, err := d.Accept([]byte(c.reply), Options{Now: now()})
		var no *RefusedError
		switch {
		case c.reason != "" && (!errors.As(err, &no) || !strings.Contains(no.Reason, c.reason)):
			t.Errorf("%s: %v, want %q", c.name, err, c.reason)
		case c.reason == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		}
		kept := 0
		for _, x := range got {
			if x.Disposition == Kept {
				kept++
				if x.Layer != session.LayerLLM || x.Confidence > ModelConfidence {
					t.Errorf("%s: layer %s, confidence %v", c.name, x.Layer, x.Confidence)
				}
			}
			if strings.Contains(x.Memory.Title+x.Memory.Text+x.Span, token) {
				t.Errorf("%s: a secret came through", c.name)
			}
		}
		if kept != c.kept {
			t.Errorf("%s: kept %d, want %d", c.name, kept, c.kept)
		}
	}
}

// FuzzAccept: whatever a model says is refused or becomes memories that can be
// written and that rest on words of the session.
func FuzzAccept(f *testing.F) {
	d := digestOf(f, talk([3]string{"0s", "The tables are of the day before until noon", "a.go"}), Options{Agent: transcript.ClaudeCode, Session: "s"})
	f.Add([]byte(`{"memories":[{"type":"gotcha","title":"Tide tables are late","text":"Why.","record":0,"span":"of the day before until noon","confidence":1}]}`))
	f.Add([]byte("```\n{}\n```"))
	f.Fuzz(func(t *testing.T, reply []byte) {
		got, err := d.Accept(reply, Options{Now: now()})
		if err != nil && len(got) > 0 {
			t.Fatal("refused, and used")
		}
		for _, c := range got {
			if _, ok := d.holds(c.Record, c.Span); !ok || c.Confidence > ModelConfidence {
				t.Fatalf("%+v", c)
			}
		}
	})
}
