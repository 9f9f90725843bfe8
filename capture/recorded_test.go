package capture

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
)

// eachRecorded calls f with the transcripts of a session that five agents were recorded in by
// tools/realagents, each in its own format.
func eachRecorded(t *testing.T, session string, f func(t *testing.T, files []string)) {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join("testdata", "recorded", "*-"+session))
	if err != nil || len(dirs) != 5 {
		t.Fatalf("%d recordings of %s, %v", len(dirs), session, err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join(dir, "[0-9]*"))
			if err != nil || len(files) == 0 {
				t.Fatalf("no transcript, %v", err)
			}
			f(t, files)
		})
	}
}

// TestOneTrap: a command that fails and then works is one trap with one key, whichever
// agent met it, and whether or not a hook of ours said something about it, and how much. The
// last session of a recording was told of the trap; nothing is learned from that.
func TestOneTrap(t *testing.T) {
	for _, lines := range []int{0, 40} {
		eachRecorded(t, "capture", func(t *testing.T, files []string) { oneTrap(t, files, lines) })
	}
}

// oneTrap reads recordings in which hooks of ours said so many lines more.
func oneTrap(t *testing.T, files []string, lines int) {
	t.Helper()
	const want = "error: probe drifted past # millibar, zero it first"
	const end = "=== end of evidence"
	more := strings.Repeat(`- fix: the error: valve is stuck goes away with ./weir --free, as was found in spring\n`, lines)
	met := 0
	for _, file := range files {
		told := strings.ReplaceAll(string(load(t, file)), end, more+end)
		for _, m := range capture(t, []byte(told), Options{}).held() {
			text := string(memory.Format(m))
			if strings.Contains(text, "evidence to verify") || strings.Contains(text, "cortex:briefing") {
				t.Errorf("%s: learned from what we said: %s", file, text)
			}
			for _, key := range m.Triggers {
				if strings.HasPrefix(key, "error: ") && key != want {
					t.Errorf("%s: trigger %q, want %q", file, key, want)
				}
			}
			if slices.Contains(m.Triggers, want) {
				met++
			}
		}
	}
	if met < 2 {
		t.Errorf("the trap was met %d times in %q, want twice", met, files)
	}
}

// TestReportOfSubagent: what a subagent found out is learned once, from its own words or from
// its report, and what it was told is nobody's words.
func TestReportOfSubagent(t *testing.T) {
	eachRecorded(t, "subagent", func(t *testing.T, files []string) {
		learned := map[string]int{} // by transcript
		for _, file := range files {
			for _, m := range capture(t, load(t, file), Options{}).held() {
				text := m.Title + "\n" + m.Text
				if strings.Contains(text, "memory-mapped file, because power cuts tear its pages") {
					learned[file]++
				}
				if strings.Contains(text, "Find out why") {
					t.Errorf("%s: learned from the task: %s", file, text)
				}
			}
		}
		for file, n := range learned {
			if n != 1 {
				t.Errorf("%s: learned %d times", file, n)
			}
		}
		want := 1
		if strings.Contains(files[0], "opencode") { // the session has the report, and the subagent is one of its own
			want = 2
		}
		if len(learned) < want {
			t.Errorf("%v is learned from %q, want it from %d", learned, files, want)
		}
	})
}

// TestSummariesTeachNothing: the words of a compaction's summary are not learned, also
// where an agent keeps them as a message of its own before, and neither is a tag in them. What
// was said after it is.
func TestSummariesTeachNothing(t *testing.T) {
	eachRecorded(t, "compaction", func(t *testing.T, files []string) {
		after := false
		for _, file := range files {
			for _, m := range capture(t, load(t, file), Options{}).held() {
				text := m.Title + "\n" + m.Text
				if strings.Contains(text, "heap file") {
					t.Errorf("%s: %s", file, text)
				}
				after = after || strings.Contains(text, "tide tables in SQLite")
			}
		}
		if !after {
			t.Error("nothing is learned from what was said after the summary")
		}
	})
}

// TestRecordedAgents: each transcript is known for what it is by its own words, and every line
// of it can be read.
func TestRecordedAgents(t *testing.T) {
	agents := map[string]string{
		"claude": transcript.ClaudeCode, "codex": transcript.Codex, "gemini": transcript.Gemini,
		"copilot": transcript.Copilot, "opencode": transcript.OpenCode,
	}
	for _, session := range []string{"moments", "capture", "subagent", "compaction"} {
		eachRecorded(t, session, func(t *testing.T, files []string) {
			client, _, _ := strings.Cut(filepath.Base(filepath.Dir(files[0])), "-")
			for _, file := range files {
				res := capture(t, load(t, file), Options{})
				if res.Session.Agent != agents[client] || res.Stats.BadLines+res.Stats.LongLines > 0 {
					t.Errorf("%s: %s, %+v", file, res.Session.Agent, res.Stats)
				}
			}
		})
	}
}

// held are the memories and notes of a run.
func (r *Result) held() []*memory.Memory {
	var out []*memory.Memory
	for i := range r.Candidates {
		if c := &r.Candidates[i]; c.held() {
			out = append(out, c.Memory)
		}
	}
	return out
}
