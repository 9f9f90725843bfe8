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

// said makes a session of words alone: prompts, each with the minutes that passed
// before it and what the agent answered.
func said(turns ...[3]string) []byte {
	var b strings.Builder
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for i, t := range turns {
		d, _ := time.ParseDuration(t[0])
		for k, line := range []string{"user", "assistant"} {
			if at = at.Add(d); t[k+1] == "" {
				continue
			}
			content := string(quotedJSON(t[k+1]))
			if line == "assistant" {
				content = fmt.Sprintf(`[{"type":"text","text":%s}]`, content)
			}
			fmt.Fprintf(&b, `{"type":%q,"uuid":"u%d%d","sessionId":"s","cwd":"/r","version":"2.1.0","timestamp":%q,"message":{"role":%q,"content":%s}}`+"\n",
				line, i, k, at.Format(time.RFC3339), line, content)
			d = time.Minute
		}
	}
	return []byte(b.String())
}

// TestTopicsTree splits the session of an evening into its four spans, one of which goes
// back to the first, and names the parts of each.
func TestTopicsTree(t *testing.T) {
	data := said(
		[3]string{"0s", "Let's design the control system of the plant room: one boiler, two circulation pumps and the sensors of the tank", "I suggest one controller for both pumps."},
		[3]string{"2m", "What are the relay specifications? The pump motors draw six times their nominal current when they start", "Take relays for 16 A with an inrush rating of 80 A."},
		[3]string{"3m", "ok", "Good."},
		[3]string{"2m", "And the safety requirements: what has to happen when the controller loses power or a sensor reads nonsense?", "The boiler must fall back to its own thermostat. Which temperature counts as too hot, 85 or 90 degrees?"},
		[3]string{"4m", "Okay, let's move on to the LoRa prototype, a ping-pong test first", "The boards exchange packets."},
		[3]string{"9m", "The TCXO does not start, the radio reports a timeout after SetTx, and the chip stays in standby mode", "Its supply has to be switched on first: 1.8 V on DIO3."},
		[3]string{"5h", "I want a memory skill for the agent that finds what we said in earlier sessions", "It can read the transcripts. Shall I go on?"},
		[3]string{"3m", "Back to the relays: which enclosure fits them on the rail?", "One of nine modules."},
	)
	want := []string{
		"0 opening: Design the control system of the plant room",
		"1 subject: Relay specifications",
		"1 subject: Safety requirements, open: Which temperature counts as too hot, 85 or 90 degrees?",
		"0 transition: LoRa prototype",
		"1 subject: TCXO does not start, the radio reports a timeout after SetTx",
		"0 pause: Memory skill for the agent that finds what we said in earlier …",
		"0 back to line 3: Relays: which enclosure fits them on the rail",
	}
	whole := capture(t, data, Options{Agent: transcript.ClaudeCode})
	if d := cmp.Diff(want, outline(whole.Session)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	var previous *session.Session
	for i, c := range data {
		if c == '\n' {
			previous = capture(t, data[:i+1], Options{Agent: transcript.ClaudeCode, Previous: previous}).Session
			back, err := session.Parse(session.Format(previous))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(previous.Topics, back.Topics); d != "" {
				t.Fatalf("the record of line %d (-before +after):\n%s", i, d)
			}
			previous = back
		}
	}
	if d := cmp.Diff(whole.Session.Topics, previous.Topics); d != "" {
		t.Errorf("line by line (-one run +many):\n%s", d)
	}
}

// outline is the topics of a session, one a line.
func outline(s *session.Session) []string {
	var out []string
	for _, x := range s.Topics {
		cue := x.Cue
		if x.Back > 0 {
			cue += fmt.Sprintf(" to line %d", x.Back)
		}
		line := fmt.Sprintf("%d %s: %s", x.Depth, cue, x.Name)
		if x.Open != "" {
			line += ", open: " + x.Open
		}
		out = append(out, line)
	}
	return out
}

// TestTopicNames: where a request says too little, what was done names the topic.
func TestTopicNames(t *testing.T) {
	list := "Pick one:\n\n1. Keep the gauge offline\n2. Send readings in batches of fifty\n"
	for _, c := range []struct{ name, want string }{
		{list + "\x0012", "Readings wait in the outbox until the gauge is online"},
		{"\x00https://github.com/harbour/tide/issues/7660", "Readings wait in the outbox until the gauge is online"},
		{"\x00analyse this issue: https://github.com/harbour/tide/issues/7660", "Readings wait in the outbox until the gauge is online"},
		{"\x00review https://github.com/harbour/tide/pull/31 for races between readers and the writer of the gauge table", "Review 31 for races between readers and the writer of the gauge …"},
		{"\x00ok, great. Could you please now add a retry to the sender of alerts? It fails at night.", "Add a retry to the sender of alerts"},
		{"\x00New topic: the ledger of readings. It should be kept for ten years.", "Ledger of readings"},
		{"\x00New topic picker in the forum, with a search box", "New topic picker in the forum"},
		{"\x00merge conflicts", "Readings wait in the outbox until the gauge is online"},
	} {
		before, asked, _ := strings.Cut(c.name, "\x00")
		answer := "[MEMORY: decision] Readings wait in the outbox until the gauge is online\n\nDone."
		turns := [][3]string{{"0s", asked, answer}}
		if before != "" {
			turns = [][3]string{{"0s", "Show the list of things that are left to do", before}, {"9h", asked, answer}}
		}
		s := capture(t, said(turns...), Options{Agent: transcript.ClaudeCode}).Session
		if got := s.Topics[len(s.Topics)-1].Name; got != c.want {
			t.Errorf("%q is named %q, want %q", asked, got, c.want)
		}
		if len(turns) == 1 && strings.HasPrefix(asked, "http") && s.Title != c.want {
			t.Errorf("the session %q is called %q, want %q", asked, s.Title, c.want)
		}
	}
}

// TestTopicsBack: these words go back to something, but to no topic.
func TestTopicsBack(t *testing.T) {
	data := said(
		[3]string{"0s", "Add storm alerts to the forecast service, sent by mail to the harbour masters", "Done."},
		[3]string{"1m", "ok can we get back to main?", "You are on main."},
		[3]string{"1m", "roll it back to the version of yesterday", "Done."},
		[3]string{"1m", "let's go back to the storm alerts", "They are sent."},
	)
	if got := outline(capture(t, data, Options{Agent: transcript.ClaudeCode}).Session); len(got) != 1 {
		t.Errorf("topics of one subject: %q", got)
	}
}

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
		"0 opening: Add storm alerts to the forecast service (alert/storm.go alert/limit.go alert/mail.go)",
		"1 step: Write the tests of the storm alerts (alert/storm_test.go)",
		"0 subject: Parser of tide tables drops lines with Windows line ends (tide/parser.go)",
		"0 pause: Container image of our release job grew beyond two gigabytes (Dockerfile)",
		"0 transition: Rename the binary to tidewatch (main.go)",
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
