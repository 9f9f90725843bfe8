package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/internal/testrun"
)

// failing is a git that counts its calls, and fails from one to another of them or
// kills who called it.
type failing struct {
	*victim
	dir   string // of the program, and of a file for each call
	plain []string
}

func newFailing(t *testing.T) *failing {
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	f := &failing{victim: newVictim(t, newCheckout(t)), dir: t.TempDir()}
	f.plain = f.env
	script := `#!/bin/sh
set -C
n=1
until true 2>/dev/null >"$FAULT_CALLS/$n"; do n=$((n+1)); done
if [ $n -ge $FAULT_FIRST ] && [ $n -le $FAULT_LAST ]; then
	[ -z "$FAULT_KILLS" ] || { kill -9 $PPID; exit 1; }
	echo "fatal: cannot fork: Resource temporarily unavailable" >&2
	exit 128
fi
exec '` + real + `' "$@"
`
	if err := os.WriteFile(filepath.Join(f.dir, "git"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	return f
}

// under runs a hook whose git fails from its first call that is named to its last, and
// returns how many calls there were.
func (f *failing) under(event, payload string, first, last int, kills bool) int {
	f.t.Helper()
	calls := f.t.TempDir()
	f.env = append(slices.Clone(f.plain), "PATH="+f.dir+":"+os.Getenv("PATH"), "FAULT_CALLS="+calls, fmt.Sprint("FAULT_FIRST=", first), fmt.Sprint("FAULT_LAST=", last), "FAULT_KILLS=")
	if kills {
		f.env = append(f.env, "FAULT_KILLS=1")
	}
	for _, cached := range []string{"git.json", "recall"} { // git is asked, whatever it said before
		if err := os.RemoveAll(filepath.Join(f.victim.dir, ".git/cortex", cached)); err != nil {
			f.t.Fatal(err)
		}
	}
	_, err := f.start(payload, "cortex", "hook", event)
	f.env = f.plain
	if failure(err) != nil && !kills {
		f.t.Errorf("hook %s with a git that fails from call %d to %d: %v", event, first, last, err)
	}
	made, err := os.ReadDir(calls)
	if err != nil {
		f.t.Fatal(err)
	}
	return len(made)
}

// ended is the entry of a hook in the heartbeat, and the log as it is.
func (f *failing) ended(event string) (entry struct {
	N              int64
	Outcome, Error string
}, log string,
) {
	f.t.Helper()
	all := map[string]json.RawMessage{}
	data, err := os.ReadFile(filepath.Join(f.victim.dir, ".git/cortex/heartbeat.json"))
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err == nil && all[event] != nil {
		err = json.Unmarshal(all[event], &entry)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	data, _ = os.ReadFile(filepath.Join(f.victim.dir, ".git/cortex/log"))
	return entry, string(data)
}

// gitEvents are the events of agents and of git, with what their payloads have besides
// the session, and whether their hooks read it.
func gitEvents() []struct {
	event, more string
	reads       bool
} {
	call := `,"tool_name":"Bash","tool_input":{"command":"make gauge"}`
	return []struct {
		event, more string
		reads       bool
	}{
		{"stop", "", true},
		{"session-start", `,"source":"startup"`, true},
		{"pre-commit", "", false},
		{"session-end", "", true},
		{"subagent-start", `,"agent_id":"a1"`, false},
		{"subagent-stop", "", true},
		{"pre-compact", "", true},
		{"user-prompt-submit", `,"prompt":"which register is the gauge read from?"`, false},
		{"pre-tool-use", call, false},
		{"post-tool-use", call + `,"tool_response":{"stdout":"ok"}`, false},
		{"post-tool-use-failure", call + `,"error":"make: no rule to make target gauge"`, false},
		{"post-commit", "", false},
	}
}

// payloadOf is the payload of an event for a new session. At the start of one it is the
// session before that is read.
func (f *failing) payloadOf(event, more string) (title, payload string) {
	f.t.Helper()
	title, payload = f.session()
	if event == "session-start" {
		payload = strings.ReplaceAll(payload, fmt.Sprintf("fault-%03d", f.n), fmt.Sprintf("begun-%03d", f.n))
	}
	return title, strings.TrimSuffix(payload, "}") + more + "}"
}

// subagent writes the transcript of a subagent of the session that is the newest, with one
// memory in it.
func (f *failing) subagent() (title string) {
	f.t.Helper()
	id := fmt.Sprintf("fault-%03d", f.n)
	title = fmt.Sprintf("Flange f%03d is bolted with torque %d", f.n, 700+f.n)
	s := newTranscript(id+"/a1", f.victim.dir)
	s.Agent("[MEMORY: gotcha] " + title)
	dir := filepath.Join(f.transcripts, id, "subagents")
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "agent-a1.jsonl"), s.Bytes(), 0o666)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	return title
}

// fails has git fail in a hook, and demands that the hook claims no more than it did,
// and that the next one makes up for it.
func (f *failing) fails(event, more string, reads bool, first, last int, kills bool) {
	f.t.Helper()
	what := fmt.Sprintf("hook %s, git failing from call %d to %d, kills %v", event, first, last, kills)
	title, payload := f.payloadOf(event, more)
	sub := f.subagent()
	f.run("", "git", "repack", "-a", "-d", "-q") // what is packed, git reads
	before, logBefore := f.ended(event)
	f.under(event, payload, first, last, kills)
	after, log := f.ended(event)
	well := after.N != before.N && after.Error == "" && after.Outcome != "spooled"
	switch {
	case kills && after.N != before.N && after.Error != "":
	case !kills && after.N != before.N+1:
		f.t.Errorf("%s: the heartbeat counts %d after %d", what, after.N, before.N)
	case !kills && !well && log == logBefore:
		f.t.Errorf("%s: outcome %s (%s), and the log says nothing", what, after.Outcome, after.Error)
	case well && reads && (f.listed()[title] != 1 || f.listed()[sub] != 1):
		f.t.Errorf("%s: outcome %s, and the session is not in", what, after.Outcome)
	}
	f.age()
	if _, err := f.start(payload, "cortex", "hook", event); failure(err) != nil {
		f.t.Errorf("%s: the next hook: %v", what, err)
	}
	if again, log := f.ended(event); again.Error != "" {
		f.t.Errorf("%s: the next hook: %s (%s)\n%s", what, again.Outcome, again.Error, log)
	}
	if all := f.listed(); reads && (all[title] != 1 || all[sub] != 1) {
		_, log := f.ended(event)
		f.t.Errorf("%s: outcome %s; after the next hook the session is in %d times, its subagent's %d\n%s", what, after.Outcome, all[title], all[sub], log[len(logBefore):])
	}
	if !reads {
		stop := strings.Replace(payload, "}", `,"hook_event_name":"Stop"}`, 1)
		f.run(stop, "cortex", "hook", "stop")
	}
	f.kept = append(f.kept, title, sub)
}

// TestGitFails has each call of git in each hook fail, once, twice and all from there on.
// No hook says that it did what it did not, and the next one reads the session.
func TestGitFails(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	events := gitEvents()
	if !testrun.Full() {
		events = events[:3]
	}
	for _, e := range events {
		t.Run(e.event, func(t *testing.T) {
			t.Parallel()
			f := newFailing(t)
			_, payload := f.payloadOf(e.event, e.more)
			calls := f.under(e.event, payload, math.MaxInt32, math.MaxInt32, false)
			if calls == 0 {
				t.Fatal("the hook asks git nothing")
			}
			var cases [][2]int
			for first := 1; first <= calls; first++ {
				cases = append(cases, [2]int{first, first}, [2]int{first, first + 1}, [2]int{first, math.MaxInt32})
			}
			for _, c := range testrun.Sample(4, cases) {
				f.fails(e.event, e.more, e.reads, c[0], c[1], false)
			}
			f.check("all of them")
			if e.event == "pre-commit" {
				f.landsAll("all of them")
			}
		})
	}
}

// TestGitKills kills each hook at each call of git: it leaves no word of what it did not do.
func TestGitKills(t *testing.T) {
	fullOnly(t, "kills")
	skipUnderRace(t)
	t.Parallel()
	for _, e := range gitEvents() {
		t.Run(e.event, func(t *testing.T) {
			t.Parallel()
			f := newFailing(t)
			_, payload := f.payloadOf(e.event, e.more)
			for first := range f.under(e.event, payload, math.MaxInt32, math.MaxInt32, false) {
				f.fails(e.event, e.more, e.reads, first+1, first+1, true)
			}
			f.check("all kills")
		})
	}
}
