// Package recipe finds, in the events of a session, calls that failed because of
// the tool, the environment or how they were invoked, and what worked instead.
//
// Make a [Follower] for a turn, give it every event, and ask [Follower.Recipes]
// at the end. [Fold] joins what two sessions met, and [Same] says whether they
// met the same. [Signature] and [Head] are the keys of a recipe: the stable part
// of an error, and how a command begins.
//
// It promises: a failure that the code was to blame for, such as a test that
// passed once the code was edited, makes no recipe; nothing of a secret is in
// one; the same trap has the same keys in every session, whatever numbers, paths
// and names its error was about. What joins a failure and its repair is the
// shape of the two calls and not their words, so that recipes are found whatever
// language tools and people speak; patterns.tsv also knows the words in which shells
// and tools speak of a missing program, a glob or an idle run.
//
// The way of the data: call.go gathers the calls of a turn, failure.go picks the
// line that says what went wrong, fact.go and repair.go say what is to be learned of
// it, command.go and signature.go make the keys.
//
// A Follower is for one goroutine; the functions are safe for concurrent use.
package recipe

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// Recipe is the lesson of one failed call: its error, and how to do it right.
type Recipe struct {
	Record   int       // 0-based line of the result that failed
	Time     time.Time // of that result
	Title    string
	Text     string // what was tried, the error, what works
	Span     string // the error, as it was
	Cue      string // the rule that found it
	Triggers []string
	Files    []string
	Passed   bool // it was a check that looked at nothing, and passed
}

// Confidence that a recipe has by the number of sessions that met it. A third
// one makes it landable under the default policy.
func Confidence(sessions int) float64 {
	switch {
	case sessions >= 3:
		return 0.9
	case sessions == 2:
		return 0.75
	}
	return 0.6
}

// seenLimit bounds how many sessions a recipe names.
const seenLimit = 12

// SessionMark is how a session is named in a memory's list of sessions: the first eight
// characters of its id. Ids that do not begin with eight hexadecimal digits may all begin
// alike, as "session-2026-11-02" does, and UUIDs of version 7 begin with the time, the same
// for a minute: of these, where they are longer, it is the first eight of their SHA-256. A
// subagent is named as the session that started it.
func SessionMark(id string) string {
	id, _, _ = strings.Cut(id, "/")
	if len(id) <= markSize || !beginsAlike().MatchString(id) {
		return id[:min(len(id), markSize)]
	}
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:])[:markSize]
}

// beginsAlike matches ids that other sessions' ids may begin like: no hexadecimal digits, or
// a UUID of version 7.
var beginsAlike = lazy.Pattern(`^(.{0,7}[^[:xdigit:]]|[[:xdigit:]]{8}-[[:xdigit:]]{4}-7)`)

// markSize is the length of a session's mark.
const markSize = 8

// Is reports whether m is a recipe: a fix with the error or the command that
// brings it back.
func Is(m *memory.Memory) bool {
	return m.Source.Layer == Layer && len(m.Triggers) > 0
}

// Layer is the layer of recipes, as FORMAT.md lists it under "Terms".
const Layer = "recipe"

// Same reports whether two recipes are about one trap: they have an error in
// common and the program or tool that gives it, where both name one. That the shell stays in a folder is one.
func Same(a, b *memory.Memory) bool {
	return Is(a) && Is(b) && (stays(a) && stays(b) || sameFault(a, b))
}

// stays reports whether a recipe says that the shell stays in a folder.
func stays(m *memory.Memory) bool {
	return strings.Contains(m.Title, keepsFolder)
}

// sameFault reports whether two recipes have an error in common, and the program or tool that gives it.
func sameFault(a, b *memory.Memory) bool {
	return meet(a.TriggersOf(memory.TriggerError), b.TriggersOf(memory.TriggerError)) &&
		sameProgram(a, b, memory.TriggerCommand) && sameProgram(a, b, memory.TriggerTool)
}

// sameProgram reports whether two recipes have a program or tool in common, or one of them
// names none.
func sameProgram(a, b *memory.Memory, kind memory.TriggerKind) bool {
	x, y := programs(a.TriggersOf(kind)), programs(b.TriggersOf(kind))
	return x == nil || y == nil || meet(x, y)
}

func programs(commands []string) []string {
	return lists.Map(commands, func(c string) string { return strings.TrimRight(prose.FirstWord(c), "0123456789.") })
}

func meet(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
}

// Fold returns have as it is once m's sessions met the same trap: their sessions
// and triggers are joined, and confidence and priority rise with the number of
// sessions. Its words stay, unless only m knows what works. It reports whether
// that changed anything. have itself is not changed.
func Fold(have, m *memory.Memory) (*memory.Memory, bool) {
	out := *have
	out.Seen = union(have.Seen, m.Seen)
	out.Seen = out.Seen[:min(len(out.Seen), seenLimit)]
	out.Triggers, out.Files = union(have.Triggers, m.Triggers), union(have.Files, m.Files)
	if have.Updated.IsZero() {
		learn(&out, m)
	}
	changed := len(out.Seen) != len(have.Seen) || len(out.Triggers) != len(have.Triggers) || out.Text != have.Text
	return &out, changed
}

// learn takes over what another session knows of a trap, and how sure that makes it.
func learn(out, m *memory.Memory) {
	if !isRepaired(out.Text) && isRepaired(m.Text) {
		out.Title, out.Text = m.Title, m.Text
		out.Source.Origin = memory.WeakestOrigin(out.Source.Claimed(), m.Source.Claimed())
	}
	out.Confidence = max(out.Confidence, Confidence(len(out.Seen)))
	out.Priority = min(10, max(out.Priority, memory.Fix.Priority()+min(len(out.Seen)-1, 2)))
}

func isRepaired(text string) bool { return strings.Contains(text, worksLine) }

func union(a, b []string) []string {
	return lists.Unique(a, b)
}

// longError is the number of words from which on the error of a recipe is a text that
// says something, and not only the sign of a fault.
const longError = 16

// Claim is the part of a recipe's text that somebody may have put there: what works, and an
// error that is a text. That a call failed is what happened.
func Claim(text string) string {
	return strings.Join(lists.Where(strings.Split(text, "\n"), claims), "\n")
}

// claims reports whether a line of a recipe's text says what works, or an error that is a text.
func claims(line string) bool {
	isText := strings.HasPrefix(line, errorLine) && len(strings.Fields(line)) > longError
	return isText || strings.HasPrefix(line, worksLine)
}
