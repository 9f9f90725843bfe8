package recipe

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lists"
)

// goalReach is how many calls after a failure its goal may be reached.
const goalReach = 25

// maxSteps is how many commands may have made the difference.
const maxSteps = 3

// remedy is how the goal of a call that failed was then reached: by the same call after
// some steps, or by one that runs the same in another way.
type remedy struct {
	call    *call
	command []string // of its line, that reached the goal
	steps   []string // commands in between that did something; none if the call itself differs
}

// remedyOf finds how the goal of a call was reached later in the turn, with no file of the
// repository edited in between, by a command that runs the same, and worked if one did; false where it was not, or by
// the same call alone.
func (f *Follower) remedyOf(c *call, same func(x *call, goal, got []string) bool) (remedy, bool) {
	if r, ok := f.reachedBy(c, same, (*call).ran); ok {
		return r, true
	}
	return f.reachedBy(c, same, checked)
}

// reachedBy is [Follower.remedyOf] by the first call of those that count.
func (f *Follower) reachedBy(c *call, same func(x *call, goal, got []string) bool, counts func(*call) bool) (
	remedy, bool,
) {
	goal := mainCommand(c.line)
	for _, x := range lists.Where(f.beforeChange(c), counts) {
		for _, got := range commandsOf(x.line) {
			if goal != nil && x.reaches(goal, got, same) {
				return f.remedyBy(c, x, goal, got)
			}
		}
	}
	return remedy{}, false
}

// beforeChange are the calls in reach of one that failed, up to one that changes code.
func (f *Follower) beforeChange(c *call) []*call {
	after := f.calls[c.n+1 : min(len(f.calls), c.n+1+goalReach)]
	if i := slices.IndexFunc(after, changesCode); i >= 0 {
		return after[:i]
	}
	return after
}

// reaches reports whether a call that counts reached a goal by one of its commands.
func (c *call) reaches(goal, got []string, same func(x *call, goal, got []string) bool) bool {
	if slices.Equal(goal, got) {
		return c.ran()
	}
	return same(c, goal, got)
}

// remedyBy is the remedy of a call whose goal another one reached by one of its commands: it is
// none if the same command did, and nothing or much had run in between.
func (f *Follower) remedyBy(c, x *call, goal, got []string) (remedy, bool) {
	if !slices.Equal(goal, got) {
		return remedy{call: x, command: got}, true
	}
	steps := f.steps(c, x)
	return remedy{x, got, steps}, len(steps) > 0 && len(steps) <= maxSteps
}

// checked reports whether a call checked the code and found it wrong: the check itself worked.
func checked(x *call) bool {
	return Checks(x.line) && matches("code to blame", x.output)
}

// maxCommands is how many commands a line has at most whose failure is one of its first.
const maxCommands = 2

// mainCommand are the words of the first simple command of a line that does more than look,
// with what is set and wrapped around it; nil for none, and for a script.
func mainCommand(line string) []string {
	all := commandsOf(line)
	if len(all) == 0 || len(all) > maxCommands {
		return nil
	}
	return all[0]
}

// commandsOf are the simple commands of a line that do more than look.
func commandsOf(line string) [][]string {
	line = pattern("no difference").ReplaceAllString(line, "")
	return lists.Without(redact.Commands(line), func(words []string) bool {
		h := headOf(words)
		return h == "" || isProbe(h)
	})
}

// runsTheSame reports whether a command runs what another one does, with variables set, by
// a program that wraps it, or by one of a kindred name.
func runsTheSame(_ *call, goal, got []string) bool {
	if more, at := added(goal, got); more != nil {
		return at == 0 // TZ=UTC go test, uv run pytest
	}
	return slices.Equal(got[1:], goal[1:]) && isKindred(got[0], goal[0])
}

// added are the words that a command has more than another one, in one place, and how many stand before them; nil
// where the two differ otherwise.
func added(goal, got []string) (more []string, at int) {
	n := len(got) - len(goal)
	for at := range got[max(0, n-1):] {
		if n > 0 && slices.Equal(slices.Concat(got[:at], got[at+n:]), goal) {
			return got[at : at+n], at
		}
	}
	return nil, 0
}

// standsIn reports whether a command runs what one of a program that is missing was to: the same in another
// way, or its words by another program, if the first of them is no option, or tests by another program.
func standsIn(x *call, goal, got []string) bool {
	words := " " + strings.Join(goal[1:], " ")
	return runsTheSame(x, goal, got) || runsTests(goal) && runsTests(got) ||
		!strings.HasPrefix(words, " -") && strings.HasSuffix(strings.Join(got, " "), words)
}

// runsTests reports whether a command runs tests, be it through another program.
func runsTests(command []string) bool { return matches("tests", strings.Join(command, " ")) }

// runsAs reports whether a command runs what one that failed does, be it with an option more that the failure or
// the agent had named before.
func (f *Follower) runsAs(c *call) func(x *call, goal, got []string) bool {
	return func(x *call, goal, got []string) bool {
		more, at := added(goal, got)
		if at == 0 {
			return runsTheSame(x, goal, got)
		}
		return strings.HasPrefix(more[0], "-") && isRepairable(c) && namesAny(f.saidOf(c, x), more)
	}
}

// saidOf lists what was said of a failed call before another one: by its output, where that blames no code, and by
// the agent.
func (f *Follower) saidOf(c, x *call) []string {
	said := lists.Without(Lines(c.output), func(l string) bool { return matches("code to blame", l) })
	return append(said, lists.Map(f.calls[c.n:x.n], f.remark)...)
}

// namesAny reports whether some lines name one of the words of an option, or a part of one.
func namesAny(lines, option []string) bool {
	parts := argumentsOf(strings.ReplaceAll(strings.Join(option, " "), "=", " "))
	parts = lists.Without(lists.Map(parts, dashless), func(w string) bool { return len(w) < leastNamed })
	return meet(parts, lists.Map(argumentsOf(strings.Join(lines, " ")), dashless))
}

// leastNamed is how long a word is at least that names an option, in bytes.
const leastNamed = 3

// dashless cuts the signs around a word off.
func dashless(w string) string { return strings.Trim(w, "-`.:!?[]") }

// isKindred reports whether two programs have one name but for a path, a version or a letter
// before it: python3 and python, pnpm and npm.
func isKindred(a, b string) bool {
	const version = "0123456789."
	a, b = strings.TrimRight(programOf(a), version), strings.TrimRight(programOf(b), version)
	if len(a) < len(b) {
		a, b = b, a
	}
	return strings.HasSuffix(a, b) && len(a)-len(b) <= 1
}

// changesCode reports whether a call changed a file, of the repository or what a command
// works on outside of it: it wrote one, or brought another version.
func changesCode(x *call) bool {
	writes := []transcript.Tool{transcript.ToolEdit, transcript.ToolWrite}
	return slices.Contains(writes, x.tool) || matches("other version", x.line)
}

// steps are the commands between two calls, and before the command of the second one on
// its line, that worked and did something.
func (f *Follower) steps(c, x *call) []string {
	var out []string
	for _, y := range f.calls[c.n+1 : x.n] {
		if y.ran() {
			out = append(out, stepsOf(y.line)...)
		}
	}
	before, _, _ := strings.Cut(x.line, strings.Join(mainCommand(c.line), " "))
	out = append(out, stepsOf(before)...)
	tried := slices.Concat(commandsOf(c.line)[1:]...) // an attempt that cleans up after itself is a test
	known := func(step string) bool { return slices.Contains(tried, prose.FirstWord(step)) }
	return union(nil, lists.Without(out, known))
}

// stepsOf are the simple commands of a line that do something: neither look nor check.
func stepsOf(line string) []string {
	var out []string
	for _, words := range redact.Commands(pattern("no difference").ReplaceAllString(line, "")) {
		if step := strings.Join(words, " "); acts(headOf(words)) && !matches("no step", step) {
			out = append(out, step)
		}
	}
	return out
}

// acts reports whether a command, by its head, does more than look.
func acts(head string) bool {
	return head != "" && (!isProbe(head) || isA("changes", program(head)))
}

// episode: a command failed, and the same goal was reached once something else had run, or
// by running the same in another way.
func (f *Follower) episode(c *call, _ []string) (Recipe, bool) {
	said := f.lacking(c)
	if said == "" {
		return Recipe{}, false
	}
	w, ok := f.remedyOf(c, f.runsAs(c))
	ofCode := len(w.steps) > 0 && matches("in code", said)
	if !ok || ofCode {
		return Recipe{}, false
	}
	head := Head(c.line)
	return Recipe{
		Title:    f.reached(head, c, w),
		Text:     f.text(c.line, said) + "\n" + worksLine + f.way(w) + f.remark(c),
		Span:     said,
		Triggers: triggers(onError(Signature(said)), onCommand(head)),
	}, true
}

// lacking is the line of a failed command that may say what its environment lacks; "" where
// the command only looks, is a script, or failed for the moment.
func (f *Follower) lacking(c *call) string {
	if !failedAtWork(c) || matches("script", c.line) {
		return ""
	}
	said := c.telling()
	if len(said) == 0 || matches("transient", said[0]) {
		return ""
	}
	return said[0]
}

// reached is a title that says how a goal is reached.
func (f *Follower) reached(head string, c *call, w remedy) string {
	if len(w.steps) > 0 {
		first := f.shown(w.steps[0], 50)
		return "`" + head + "` fails here until `" + first + "` has run"
	}
	goal, got := mainCommand(c.line), w.command
	if more, at := added(goal, got); more != nil && at == 0 {
		return "`" + head + "` runs here with `" + f.shown(strings.Join(more, " "), 40) + "` before it"
	}
	return "`" + head + "` runs here as `" + f.shown(strings.Join(got, " "), 50) + "`"
}

// way returns the commands of a remedy, as code.
func (f *Follower) way(w remedy) string {
	out := lists.Map(w.steps, f.code)
	return strings.Join(append(out, f.code(w.call.line)), ", then ")
}
