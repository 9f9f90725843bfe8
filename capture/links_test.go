package capture

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
)

func TestStated(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"We use Bluge; this supersedes the earlier decision k7q2m9x.", "supersedes[k7q2m9x]"},
		{"This replaces k7q2m9xw4d3h8t5v because it was wrong", "supersedes[k7q2m9xw4d3h8t5v]"},
		{"This replaces the old parser", ""},
		{"That does not supersede k7q2m9x", ""},
		{"This builds on a1b2c3d and refines k7q2m9x", "builds_on[a1b2c3d] refines[k7q2m9x]"},
		{"See also a1b2c3d", "relates_to[a1b2c3d]"},
		{"see also the readme", ""},
	} {
		got := ""
		for _, p := range stated(c.text) {
			got += fmt.Sprintf(" %s[%s]", p.Rel, p.ID)
		}
		if got = strings.TrimSpace(got); got != c.want {
			t.Errorf("stated(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestLinksInSession(t *testing.T) {
	data := talk(
		[3]string{"0s", "[MEMORY: question] Which mail server sends the storm alerts to the harbour masters?", "a.go"},
		[3]string{"1m", "[MEMORY: decision] Storm alerts to the harbour masters go out through the mail server of the port, not ours", "a.go"},
		[3]string{"1m", "[MEMORY: progress] The port's mail server accepts the storm alerts for harbour masters since the certificate, the queue and the retries of failed deliveries were set up and watched for a week", "a.go"},
		[3]string{"1m", "[MEMORY: decision] The release image is built from scratch", "b.go"},
	)
	res := capture(t, data, Options{Agent: transcript.ClaudeCode})
	ids := map[memory.ID]int{}
	var got []string
	for i, m := range res.held() {
		ids[m.ID] = i
		for _, l := range m.Links {
			got = append(got, fmt.Sprintf("%d %s %d", i, l.Rel, ids[l.To]))
		}
	}
	if d := cmp.Diff([]string{"1 answers 0", "2 builds_on 1"}, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestNames(t *testing.T) {
	n := newNames(
		[]string{"Ada Lovelace", "Grace Hopper", "Grace Slick", "Linus", "renovate[bot]", "Ada Lovelace"},
		[]string{"example.org/blugelabs/bluge", "gopkg.example/yaml.v3", "example.org/x/mod/v2", "express", "@scope/vitest"})
	for _, c := range []struct {
		text string
		want []string
	}{
		{"Ada wants Bluge, and so does Linus's team", []string{"Ada Lovelace", "bluge", "Linus"}},
		{"Grace said so", nil},
		{"Grace Hopper said so, the ada compiler did not", []string{"Grace Hopper"}},
		{"we express it in yaml, tested by vitest; mod time", []string{"yaml", "vitest"}},
		{"renovate did it", nil},
	} {
		if d := cmp.Diff(c.want, n.in(c.text)); d != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, d)
		}
	}
	res := capture(t, talk([3]string{"0s", "[MEMORY: decision] Ada decided that bluge stays in the index package", "a.go"}),
		Options{Agent: transcript.ClaudeCode, People: func() []string { return []string{"Ada Lovelace"} }, Dependencies: func() []string { return []string{"x/bluge"} }})
	if d := cmp.Diff([]string{"Ada Lovelace", "bluge"}, res.held()[0].Entities); d != "" {
		t.Errorf("entities (-want +got):\n%s", d)
	}
}
