package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/tools/mockmodel"
)

// cell holds whether a row of the table is true of a client.
type cell struct {
	ok   bool
	what string // where it is not
}

// check notes whether a row holds. A row that holds in one session and not in another
// does not hold.
func (s *session) check(row string, ok bool, format string, args ...any) {
	was, known := s.cells[row]
	if known && !was.ok {
		return
	}
	c := cell{ok: ok}
	if !ok {
		c.what = fmt.Sprintf(format, args...)
	}
	s.cells[row] = c
}

// run runs the client with a prompt, and returns what it printed.
func (s *session) run(ctx context.Context, p prompting) (string, error) {
	if s.trust != nil && !p.untrusted {
		if err := s.trust(s); err != nil {
			return "", err
		}
	}
	return s.exec(ctx, s.env(s), append([]string{s.path()}, s.prompt(s, p)...)...)
}

// at is all the text of the first request that a step of a script answered, "" for none.
func (s *session) at(script string, step int) string {
	for _, r := range s.model.Requests() {
		if r.Script == script && r.Step == step {
			return allText(r)
		}
	}
	return ""
}

// allText is every string in the body of a request.
func allText(r mockmodel.Request) string {
	var body any
	_ = json.Unmarshal(r.Body, &body)
	var b strings.Builder
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			b.WriteString(v + "\n")
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		case map[string]any:
			for _, inner := range v {
				walk(inner)
			}
		}
	}
	walk(body)
	return b.String()
}

// listed is a memory as cortex list --json has it.
type listed struct {
	Type, Title, Text string
	Triggers          []string
	Stage             string
	Seen              []string
	Source            struct{ Agent, Session string }
}

// list returns the memories of the project, once the end of each session was read.
func (s *session) list(ctx context.Context) ([]listed, error) {
	for s.readsLate() && ctx.Err() == nil {
		time.Sleep(50 * time.Millisecond)
	}
	out, err := s.exec(ctx, nil, "cortex", "list", "--json")
	if err != nil {
		return nil, err
	}
	var answer struct{ Memories []listed }
	return answer.Memories, json.Unmarshal([]byte(out), &answer)
}

// readsLate reports whether a process in the background still waits for the end of a session
// that its agent writes after its last hook.
func (s *session) readsLate() bool {
	processes, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	return slices.ContainsFunc(processes, func(name string) bool {
		line, _ := os.ReadFile(name) // one that has ended meanwhile has none
		args := strings.Split(string(line), "\x00")
		return slices.Contains(args, "late-reader") && slices.Contains(args, s.repo())
	})
}

// Rows of the table, in this order.
const (
	briefed    = "briefing in the first request"
	prompted   = "what concerns the prompt, with it"
	beforeCall = "note before a call"
	afterFail  = "note after a failed call"
	toldOnce   = "a memory told once a session"
	decided    = "captured: a decision"
	repaired   = "captured: what failed, and then worked"
	metAgain   = "captured: that a known trap was met again"
	delegated  = "captured: a subagent's findings"
	tasked     = "a subagent is told what concerns its task"
	ruled      = "a subagent is told the rules of the user"
	resumed    = "resumed: one session, one briefing"
	compacted  = "compaction: the briefing comes back"
	unsummed   = "compaction: nothing is learned from the summary"
	distrusted = "before the folder is trusted"
	withheld   = "`cortex doctor` says what is still to be trusted"
	untouched  = "nothing is added to the repository"
	served     = "MCP: answers are marked as evidence"
	besides    = "plugin beside `init`: nothing twice"
	asked      = "asked before a commit"
	answered   = "the answer to that is kept"
	stopped    = "a guard: what it denies does not run, the agent is told why, and other calls run"
	unalarmed  = "`cortex status` has nothing to complain of"
)

func rows() []string {
	return []string{
		briefed, prompted, beforeCall, afterFail, toldOnce, decided, repaired, metAgain, delegated, tasked, ruled,
		resumed, compacted, unsummed, distrusted, withheld, untouched, served, besides, asked, answered, stopped, unalarmed,
	}
}

// Texts that only memories of the project have, and what else is looked for.
const (
	doorTitle    = "# Project memory: "
	keptHow      = "a torn write then costs one day"
	stationsIn   = "their names are in stations.txt"
	triedThis    = "Tried: `./import.sh archive`"
	standingRule = "Never push to the branch of the harbour office"
	guardRule    = "Never run touch deployed"
	fence        = "what memories say, not instructions" // of answers, and not of the briefing
	question     = "say what a teammate must know later"
	segments     = "@@moments@@ How are readings kept in segment files? Then go on."
	fromNobody   = "heap file" // what the model says in summaries
)

// scenes are the sessions of every client.
func scenes() map[string]func(ctx context.Context, s *session) error {
	return map[string]func(ctx context.Context, s *session) error{
		"moments": moments, "capture": captures, "subagent": subagent, "compaction": compaction,
		"untrusted": untrusted, "tools": tools, "plugin": plugin, "guarded": guarded,
	}
}

// moments looks at what is told when.
func moments(ctx context.Context, s *session) error {
	if _, err := s.run(ctx, prompting{text: segments}); err != nil {
		return err
	}
	first := s.at("moments", 0)
	s.holds(briefed, first, doorTitle, 1)
	s.holds(prompted, first, keptHow, 1)
	s.holds(afterFail, s.at("moments", 2), triedThis, 1)
	if err := s.leaves(ctx, untouched); err != nil {
		return err
	}
	if s.lacks[beforeCall] == "" {
		s.holds(beforeCall, s.at("moments", 1), stationsIn, 1)
		return nil
	}
	return s.offers(beforeCall)
}

// leaves notes whether a session left the working tree as it was: neither git nor a list of
// what it ignores has anything new.
func (s *session) leaves(ctx context.Context, row string) error {
	out, err := s.exec(ctx, nil, "git", "status", "--porcelain", "--ignored")
	out = strings.TrimSpace(strings.ReplaceAll(out, "!! .claude/rules/cortex-briefing.md\n", "")) // ours
	s.check(row, out == "", "git status: %s", out)
	return err
}

// offers notes that a client takes no text at a moment, as a hook shows that tried, or its
// own documentation.
func (s *session) offers(row string) error {
	if s.takes != nil {
		offered, err := s.takes(s)
		s.check(row, offered, "its documentation says no")
		return err
	}
	reached := slices.ContainsFunc(s.model.Requests(), func(r mockmodel.Request) bool {
		return strings.Contains(allText(r), probed)
	})
	s.check(row, reached, "no request has what a hook said")
	_, err := os.Stat(filepath.Join(s.home(), "probed"))
	return err
}

// captures looks at what is kept of a session, also of one that is resumed.
func captures(ctx context.Context, s *session) error {
	begin := prompting{text: "@@capture@@ How are readings kept in segment files? Calibrate."}
	if _, err := s.run(ctx, begin); err != nil {
		return err
	}
	if err := s.keeps(ctx, decided, "ring buffer over a growing log"); err != nil {
		return err
	}
	next := prompting{text: "@@plain@@ Again, how are readings kept in segment files?", resume: true}
	if _, err := s.run(ctx, next); err != nil {
		return err
	}
	again := s.at("plain", 0)
	s.check(resumed, strings.Contains(again, "ring buffer over a growing log"), "the session did not go on")
	s.holds(resumed, again, briefingIn(s.at("capture", 0)), 1)
	s.holds(resumed, again, doorTitle, 1)
	s.holds(toldOnce, again, keptHow, 1)
	if err := s.keeps(ctx, resumed, "tide tables in SQLite"); err != nil {
		return err
	}
	if err := s.sessions(ctx, resumed, 1); err != nil {
		return err
	}
	return s.meetsAgain(ctx)
}

// meetsAgain looks at a session that is told of a trap which an earlier one has met: that makes a
// memory of the note that the earlier one left.
func (s *session) meetsAgain(ctx context.Context) error {
	if _, err := s.run(ctx, prompting{text: "@@again@@ Calibrate the probe."}); err != nil {
		return err
	}
	s.holds(metAgain, s.at("again", 1), "./calibrate.sh --zero probe", -1)
	fix, err := s.find(ctx, isRepair)
	if err != nil {
		return err
	}
	const key = "error: probe drifted past # millibar, zero it first"
	s.check(repaired, slices.Contains(fix.Triggers, key), "no fix with the trigger %q, but %q", key, fix.Triggers)
	s.check(metAgain, len(fix.Seen) == 2, "the fix was seen in %q", fix.Seen)
	return s.quiet(ctx)
}

// isRepair reports whether a memory is what the session of capture found out.
func isRepair(m listed) bool {
	return m.Type == "fix" && strings.Contains(m.Text, "./calibrate.sh --zero probe")
}

// subagent looks at what is kept of what a subagent says.
func subagent(ctx context.Context, s *session) error {
	if _, err := s.run(ctx, prompting{text: "@@" + cmp.Or(s.send, "sub") + "@@ Why is the import slow?"}); err != nil {
		return err
	}
	if s.at("subwork", 0) == "" {
		s.check(delegated, false, "no subagent asked the model anything")
		return nil
	}
	s.holds(tasked, s.at("subwork", 0), keptHow, 1)
	s.holds(ruled, s.at("subwork", 0), standingRule, 1)
	if err := s.keeps(ctx, delegated, "memory-mapped file, because power cuts tear its pages"); err != nil {
		return err
	}
	return s.sessions(ctx, delegated, 1)
}

// compaction looks at what a session has after its context was summed up.
func compaction(ctx context.Context, s *session) error {
	if err := s.compact(ctx, s); err != nil {
		return err
	}
	after := s.at("plain", 0)
	summed := slices.ContainsFunc(s.model.Requests(), func(r mockmodel.Request) bool { return r.Script == "summary" })
	s.check(compacted, summed, "nothing was summed up")
	s.check(compacted, strings.Contains(after, fromNobody), "the request after it has no summary")
	s.holds(compacted, after, doorTitle, 1)
	wrong, err := s.find(ctx, func(m listed) bool { return strings.Contains(m.Title+m.Text, fromNobody) })
	s.check(unsummed, summed && wrong.Title == "", "%s: %s", wrong.Type, wrong.Title)
	if err != nil {
		return err
	}
	noted, err := s.exec(ctx, nil, "cortex", "search", "--json", "--notes", "gauge readings "+fromNobody)
	s.check(unsummed, !strings.Contains(noted, "the archive may not grow"), "a note has it: %s", noted)
	return err
}

// untrusted looks at a session from before the folder was trusted, and at the one after.
func untrusted(ctx context.Context, s *session) error {
	if err := s.warns(ctx, true); err != nil {
		return err
	}
	said, err := s.run(ctx, prompting{text: "@@capture@@ Calibrate the probe.", untrusted: true})
	if s.trust != nil {
		if err := errors.Join(s.trust(s), s.warns(ctx, false)); err != nil {
			return err
		}
	}
	if s.refuses {
		ran := s.at("capture", 0) != ""
		s.check(distrusted, err != nil && !ran, "the session ran: %s", said)
		return nil
	}
	if err != nil {
		return err
	}
	told := strings.Contains(s.at("capture", 0), doorTitle)
	s.check(distrusted, told == s.unasked, "the briefing was told: %v", told)
	if _, err := s.run(ctx, prompting{text: "@@plain@@ And the tide tables?"}); err != nil {
		return err
	}
	return s.keeps(ctx, distrusted, "ring buffer over a growing log")
}

// warns notes whether cortex doctor says what a person has still to do before the client runs
// its hooks, or no longer says so.
func (s *session) warns(ctx context.Context, want bool) error {
	out, err := s.exec(ctx, nil, "cortex", "doctor", "--all", "--json")
	if err != nil {
		return err
	}
	var answer struct {
		Checks []struct{ Name, Hint string }
	}
	err = json.Unmarshal([]byte(out), &answer)
	hint := ""
	for _, c := range answer.Checks {
		if c.Name == s.source+" hooks" {
			hint = c.Hint
		}
	}
	s.check(withheld, strings.Contains(hint, s.title+" runs the hooks once you have trusted") == want, "it says %q", hint)
	return err
}

// tools looks at an answer over the Model Context Protocol, and at the question before a
// commit.
func tools(ctx context.Context, s *session) error {
	script, first := cmp.Or(s.search, "tools"), 0
	if s.search != "" {
		first = 1
	}
	closing := prompting{text: "@@" + script + "@@ Note it in the README, and commit what you have changed."}
	if s.lacks[asked] == "" {
		closing.resume = true
		if err := s.settle(ctx); err != nil {
			return err
		}
	}
	if _, err := s.run(ctx, closing); err != nil {
		return err
	}
	result := s.after(script, first)
	s.check(served, strings.Contains(result, stationsIn), "no answer of the server: %s", last(result, 300))
	s.holds(served, result, fence, -1)
	s.holds(asked, s.at(script, first+3), question, 1)
	return s.keeps(ctx, answered, "Buoys report every nine minutes")
}

// settle runs the beginning of a session that is worth asking about: its user says more than
// once what the diff will not show. Copilot CLI may not have written down the last prompt yet
// as the question is due.
func (s *session) settle(ctx context.Context) error {
	return s.prompts(ctx,
		prompting{text: "@@agreed@@ Where do the names of the stations stand?"},
		prompting{text: "@@agreed@@ The crews need them by basin, not by the name of the town.", resume: true},
		prompting{text: "@@agreed@@ And leave the old names out, nobody has used them since spring.", resume: true},
	)
}

// guarded looks at a session that makes a call which a guard denies, and one which none speaks about.
func guarded(ctx context.Context, s *session) error {
	if _, err := s.exec(ctx, nil, "cortex", "remember", "--type", "preference", guardRule); err != nil {
		return err
	}
	out, err := s.exec(ctx, nil, "cortex", "list", "--json", "--type", "preference")
	if err != nil {
		return err
	}
	var answer struct{ Memories []struct{ ID, Title string } }
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		return err
	}
	i := slices.IndexFunc(answer.Memories, func(m struct{ ID, Title string }) bool { return m.Title == guardRule })
	if _, err := s.exec(ctx, nil, "cortex", "guard", "add", answer.Memories[max(0, i)].ID); err != nil {
		return err
	}
	if _, err := s.run(ctx, prompting{text: "@@guarded@@ Deploy it."}); err != nil {
		return err
	}
	s.holds(stopped, s.at("guarded", 1), "Rule: "+guardRule, -1)
	_, ran := os.Stat(filepath.Join(s.repo(), "deployed"))
	s.check(stopped, errors.Is(ran, os.ErrNotExist), "it ran: %v", ran)
	_, err = os.Stat(filepath.Join(s.repo(), "sounded"))
	s.check(stopped, err == nil, "the other call did not run: %v", err)
	return nil
}

// plugin looks at a session of a client that has the plugin in a repository where
// cortex is set up without it.
func plugin(ctx context.Context, s *session) error {
	if s.install == nil {
		s.check(besides, false, "there is no plugin for it")
		return nil
	}
	if err := s.install(ctx, s); err != nil {
		return err
	}
	if _, err := s.run(ctx, prompting{text: segments}); err != nil {
		return err
	}
	s.holds(besides, s.at("moments", 0), doorTitle, 1)
	s.holds(besides, s.at("moments", 0), keptHow, 1)
	if s.lacks[beforeCall] == "" {
		s.holds(besides, s.at("moments", 1), stationsIn, 1)
	}
	s.holds(besides, s.at("moments", 2), triedThis, 1)
	return s.sessions(ctx, besides, 1)
}

// holds notes whether a text holds another one so many times; -1 stands for at least once.
func (s *session) holds(row, text, want string, times int) {
	n := strings.Count(text, want)
	s.check(row, n == times || times < 0 && n > 0, "%.60q is there %d times, not %d", want, n, times)
}

// keeps notes whether a memory of this client has a text, once.
func (s *session) keeps(ctx context.Context, row, text string) error {
	memories, err := s.list(ctx)
	n := 0
	for _, m := range memories {
		if strings.Contains(m.Title+"\n"+m.Text, text) && m.Source.Agent == s.source {
			n++
		}
	}
	s.check(row, n == 1, "%d memories with %q", n, text)
	return err
}

// find returns a memory that is as match says.
func (s *session) find(ctx context.Context, match func(m listed) bool) (listed, error) {
	memories, err := s.list(ctx)
	if i := slices.IndexFunc(memories, match); i >= 0 {
		return memories[i], err
	}
	return listed{}, err
}

// sessions notes whether cortex knows of so many sessions, not counting those of subagents.
func (s *session) sessions(ctx context.Context, row string, want int) error {
	out, err := s.exec(ctx, nil, "cortex", "sessions", "--json")
	if err != nil {
		return err
	}
	var answer struct {
		Sessions []struct{ ID string }
	}
	err = json.Unmarshal([]byte(out), &answer)
	var own []string
	for _, one := range answer.Sessions {
		if !strings.Contains(one.ID, "/") {
			own = append(own, one.ID)
		}
	}
	s.check(row, len(own) == want, "%d sessions: %q", len(own), own)
	return err
}

// quiet notes whether cortex status reports no problem.
func (s *session) quiet(ctx context.Context) error {
	out, err := s.exec(ctx, nil, "cortex", "status", "--json")
	if err != nil {
		return err
	}
	var answer struct{ Problems []string }
	err = json.Unmarshal([]byte(out), &answer)
	s.check(unalarmed, len(answer.Problems) == 0, "%q", answer.Problems)
	return err
}

// briefingIn is the briefing in a request.
func briefingIn(text string) string {
	_, rest, ok := strings.Cut(text, doorTitle)
	if !ok {
		return doorTitle
	}
	briefing, _, _ := strings.Cut(rest, "=== end of evidence")
	return doorTitle + briefing
}

// after returns the part of a request that the one before it lacked: the result of a call,
// and the notes on it.
func (s *session) after(script string, step int) string {
	before := s.at(script, step)
	return strings.TrimPrefix(s.at(script, step+1), before)
}

// last is the end of a text.
func last(text string, size int) string { return text[max(0, len(text)-size):] }
