package capture

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"

	"github.com/google/go-cmp/cmp"
)

// talk makes a session of prompts, each with the minutes that passed before it
// and a file that the agent then changes.
func talk(turns ...[3]string) []byte {
	var b strings.Builder
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	n := 0
	line := func(kind, content string) {
		n++
		at = at.Add(time.Second)
		fmt.Fprintf(&b, `{"type":%q,"uuid":"u%d","sessionId":"s","cwd":"/r","version":"2.1.0","timestamp":%q,"message":{"role":%q,"content":%s}}`+"\n",
			kind, n, at.Format(time.RFC3339), kind, content)
	}
	for i, t := range turns {
		d, _ := time.ParseDuration(t[0])
		at = at.Add(d)
		line("user", string(quotedJSON(t[1])))
		line("assistant", fmt.Sprintf(`[{"type":"tool_use","id":"t%d","name":"Edit","input":{"file_path":"/r/%s","old_string":"a","new_string":"b"}}]`, i, t[2]))
		line("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"t%d","content":"ok"}]`, i))
		line("assistant", `[{"type":"text","text":"It is done as you asked."}]`)
	}
	return []byte(b.String())
}

func TestTopics(t *testing.T) {
	data := talk(
		[3]string{"0s", "Please add storm alerts to the forecast service, sent by mail to the harbour masters", "alert/storm.go"},
		[3]string{"1m", "yes, and the limit comes from the settings", "alert/limit.go"},
		[3]string{"1m", "use the same mail service for storm alerts of the forecast as the reports do", "alert/mail.go"},
		[3]string{"2m", "Now let's write the tests of the storm alerts", "alert/storm_test.go"},
		[3]string{"2m", "The parser of tide tables drops lines with Windows line ends, and prints a warning for each", "tide/parser.go"},
		[3]string{"1m", "ok", "tide/parser.go"},
		[3]string{"1h", "The container image of our release job grew beyond two gigabytes, find out which layer", "Dockerfile"},
		[3]string{"1m", "One more thing: rename the binary to tidewatch", "main.go"},
	)
	var got []string
	res := capture(t, data, Options{Agent: transcript.ClaudeCode})
	for _, x := range res.Session.Topics {
		got = append(got, fmt.Sprintf("%d %s: %s (%s)", x.Depth, x.Cue, x.Name, strings.Join(x.Files, " ")))
	}
	want := []string{
		"0 opening: Add storm alerts to the forecast service, sent by … (alert/storm.go alert/limit.go alert/mail.go)",
		"1 step: Write the tests of the storm alerts (alert/storm_test.go)",
		"0 subject: The parser of tide tables drops lines with Windows … (tide/parser.go)",
		"0 pause: The container image of our release job grew beyond … (Dockerfile)",
		"0 transition: One more thing: rename the binary to tidewatch (main.go)",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	// In any two runs, and line by line, the topics are the same.
	var previous *session.Session
	for i, c := range data {
		if c != '\n' {
			continue
		}
		two := capture(t, data, Options{Agent: transcript.ClaudeCode, Previous: capture(t, data[:i+1], Options{Agent: transcript.ClaudeCode}).Session})
		if d := cmp.Diff(res.Session.Topics, two.Session.Topics); d != "" {
			t.Fatalf("cut at %d (-one run +two):\n%s", i, d)
		}
		previous = capture(t, data[:i+1], Options{Agent: transcript.ClaudeCode, Previous: previous}).Session
	}
	if d := cmp.Diff(res.Session.Topics, previous.Topics); d != "" {
		t.Errorf("line by line (-one run +many):\n%s", d)
	}
}

func quotedJSON(s string) []byte {
	out, _ := json.Marshal(s)
	return out
}
