package main

import (
	"strings"
	"testing"
)

// TestPlain: a recording keeps our words, short ones of the client and the order of members,
// and neither paths of the machine nor what the client tells its model.
func TestPlain(t *testing.T) {
	w := &world{options: &options{clients: "/opt/clients", root: "/src/cortex"}, dir: "/scratch"}
	s := &session{world: w, agent: &agent{name: "a"}, dir: "/scratch/a/one"}
	s.known = []string{"We chose a ring buffer over a growing log."}
	long := strings.Repeat("You are an agent. ", 20)
	for in, want := range map[string]string{
		`{"z":1,"a":"/scratch/a/one/repo/x","b":[true,null,2.50]}`:                          `{"z":1,"a":"$REPO/x","b":[true,null,2.50]}`,
		`{"text":"` + long + `"}`:                                                           `{"text":"(words of the client)"}`,
		`{"text":"` + long + `\nWe chose a ring buffer over a growing log.\n` + long + `"}`: `{"text":"(words of the client)\nWe chose a ring buffer over a growing log.\n(words of the client)"}`,
		`{"text":"<context>` + long + `</context>"}`:                                        `{"text":"<context>\n(words of the client)\n</context>"}`,
		`{"tools":[{"name":"x"}],"schema":{"a":1},"base_instructions":"x","n":"y"}`:         `{"tools":[],"schema":{},"base_instructions":"","n":"y"}`,
		`{"file":"/tmp/x/cortex-a1B2c3/ses_1.json"}`:                                        `{"file":"/tmp/x/cortex/ses_1.json"}`,
	} {
		if got := string(s.plain([]byte(in))); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}
