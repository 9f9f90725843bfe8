package transcript

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a reader cannot use is counted by its type, from the line on that is asked
// for; names that are none are counted together.
func TestSkipped(t *testing.T) {
	claude := `{"type":"user","uuid":"1","sessionId":"s","parentUuid":null,"isSidechain":false,"message":{"role":"user","content":"hi"}}`
	for _, c := range []struct {
		name, agent, text string
		counted           int
		want              Stats
	}{
		{
			"claude-code", "",
			claude + "\n" + `{"type":"frob"}` + "\n" + `{"type":"frob"}` + "\n{bad\n" + `{"type":"ghp \u0000 !"}` + "\n",
			0,
			Stats{BadLines: 1, Unknown: map[string]int{"frob": 2, "other": 1}},
		},
		{
			"from a line on", "", claude + "\n" + `{"type":"frob"}` + "\n" + `{"type":"frob"}` + "\n{bad\n", 2,
			Stats{BadLines: 1, Unknown: map[string]int{"frob": 1}},
		},
		{
			"blocks", "", claude + "\n" + `{"type":"assistant","uuid":"2","sessionId":"s","message":{"role":"assistant","content":[{"type":"hologram"},{"type":"thinking","thinking":"x"},{"type":"text","text":"y"}]}}` + "\n" +
				`{"type":"assistant","uuid":"3","sessionId":"s","msg":{}}` + "\n", 0,
			Stats{Unknown: map[string]int{"content hologram": 1, "assistant without content": 1}},
		},
		{
			"codex", Codex, `{"type":"blip","payload":{}}` + "\n" + `{"type":"world_state"}` + "\n", 0,
			Stats{Unknown: map[string]int{"blip": 1}},
		},
		{"copilot", Copilot, `{"type":"blip.on","data":{}}` + "\n", 0, Stats{Unknown: map[string]int{"blip.on": 1}}},
		{
			"gemini", Gemini, `{"id":"1","type":"blip","content":"x"}` + "\n" + `{"x":1}` + "\n", 0,
			Stats{Unknown: map[string]int{"blip": 1, "without a type": 1}},
		},
	} {
		in, err := Open(strings.NewReader(c.text), c.agent)
		if err != nil {
			t.Fatal(err)
		}
		in.Counted = c.counted
		if err := in.Start(Position{}, c.agent); err != nil {
			t.Fatal(err)
		}
		for err == nil {
			err = in.Next(context.Background(), func(*Event) {})
		}
		if !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, in.Stats); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	var s Stats
	for i := range 100 {
		s.unknown("type-" + strings.Repeat("x", i%90))
	}
	if len(s.Unknown) > unknownTypes+1 {
		t.Errorf("%d types are told apart", len(s.Unknown))
	}
}
