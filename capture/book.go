package capture

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lists"
)

// Limits of a session record, so that it stays small whatever the session.
const (
	maxCommands = 100
	maxFiles    = 300
	maxRequests = 200
	maxWeak     = 60
	commandSize = 160
	longestPath = 300 // in bytes
)

// book keeps the session record while a transcript is read. Events of lines
// that an earlier run has counted only refresh what is idempotent.
type book struct {
	s        *session.Session
	opt      *Options
	counted  int // lines below this one were counted by an earlier run
	cwd      string
	roots    []string
	files    map[string]bool // every path named by a tool call
	touched  []string        // paths named in the turn at hand
	hidden   redact.Hidden   // what the user marked as private, and secrets they answered
	asked    redact.Asked    // the secret that the agent's last words asked for
	outcomes recipe.Outcomes // of the calls
}

func newBook(s *session.Session, opt *Options, counted int) *book {
	b := &book{s: s, opt: opt, counted: counted, files: lists.Set(slices.Concat(s.Modified, s.Read))}
	opt.Redactor = opt.Redactor.Hiding(&b.hidden)
	b.outcomes.Redactor = opt.Redactor
	if opt.Root != "" {
		b.roots = append(b.roots, slashed(opt.Root))
	}
	return b
}

func slashed(p string) string { return strings.TrimRight(strings.ReplaceAll(p, `\`, "/"), "/") }

func (b *book) event(e *transcript.Event) {
	b.identify(e)
	b.clock(e.Time)
	fresh := e.Record >= b.counted
	switch e.Kind {
	case transcript.Title:
		if t := b.opt.Redactor.Line(e.Text); t != "" {
			b.s.Title = prose.Clip(t, 200)
		}
	case transcript.Prompt:
		b.request(e)
	case transcript.Call:
		b.call(e, fresh)
	}
	corrections, failed := b.outcomes.Event(e)
	if fresh {
		b.count(e)
		b.s.Outcome(corrections, failed)
	}
}

// identify notes which session it is, and where it takes place.
func (b *book) identify(e *transcript.Event) {
	if b.s.ID == "" {
		b.s.ID = b.opt.Redactor.Line(e.Session)
	}
	if b.cwd == "" {
		b.startsIn(slashed(e.Cwd))
	}
	if e.Branch != "" && b.opt.Branch == "" {
		b.s.Branch = b.opt.Redactor.Line(e.Branch)
	}
}

// startsIn notes the directory that a session starts in.
func (b *book) startsIn(dir string) {
	if dir != "" {
		b.cwd, b.roots = dir, append(b.roots, dir)
	}
}

// request notes what the user asked for.
func (b *book) request(e *transcript.Event) {
	if words := b.opt.requestText(e.Text); words != "" && len(b.s.Requests) < maxRequests {
		b.s.Requests = append(b.s.Requests, session.Request{Record: e.Record, Text: words})
	}
}

// count counts turns, calls, errors and messages in another language than English.
func (b *book) count(e *transcript.Event) {
	switch e.Kind {
	case transcript.Prompt, transcript.Plan:
		b.s.Turns++
	case transcript.Call:
		b.s.Call(e.Time)
	case transcript.Result:
		if e.FailedAtWork() {
			b.s.Errors++
		}
	}
	if isForeign(e) {
		b.s.NotEnglish++
	}
}

// isForeign reports whether somebody speaks another language than English.
func isForeign(e *transcript.Event) bool {
	words := []transcript.Kind{transcript.Prompt, transcript.Steer, transcript.Text}
	return slices.Contains(words, e.Kind) && !inEnglish(e.Text)
}

// requestText is the form in which a prompt enters the record.
func (o *Options) requestText(words string) string { return prose.Clip(o.Redactor.Line(words), 300) }

func (b *book) clock(t time.Time) {
	if t.IsZero() {
		return
	}
	t = t.Truncate(time.Second)
	if b.s.Start.IsZero() || t.Before(b.s.Start) {
		b.s.Start = t
	}
	if t.After(b.s.End) {
		b.s.End = t
	}
}

func (b *book) call(e *transcript.Event, fresh bool) {
	switch e.Tool {
	case transcript.ToolRead:
		b.s.Read = b.touch(b.s.Read, e)
	case transcript.ToolWrite, transcript.ToolEdit:
		b.s.Modified = b.touch(b.s.Modified, e)
	case transcript.ToolShell:
		if fresh {
			b.command(e.Shell())
		}
	default:
		b.steps(e)
	}
}

// steps notes what a call does to the agent's to-do list.
func (b *book) steps(e *transcript.Event) {
	switch e.Tool {
	case transcript.ToolTodos:
		b.todos(e.Tasks())
	case transcript.ToolTaskNew:
		b.newTask(e.Task().Text)
	case transcript.ToolTaskSet:
		b.setTask(e.Task())
	}
}

// command notes a command line, and forgets the first where there are too many.
func (b *book) command(line string) {
	cmd := prose.Clip(b.opt.Redactor.Command(line), commandSize)
	if cmd == "" || slices.Contains(b.s.Commands, cmd) {
		return
	}
	b.s.Commands = append(b.s.Commands, cmd)
	if n := len(b.s.Commands) - maxCommands; n > 0 {
		b.s.Commands = slices.Clone(b.s.Commands[n:])
	}
}

// touch adds the file of a call to a list.
func (b *book) touch(list []string, e *transcript.Event) []string {
	p := b.relative(e.Path())
	if p == "" {
		return list
	}
	b.files[p] = true
	b.touched = addNew(b.touched, p, session.TopicFiles)
	return addNew(list, p, maxFiles)
}

// addNew adds a text to a list that has no such one, unless it is empty or there are too many.
func addNew(list []string, x string, most int) []string {
	if x == "" || len(list) >= most || slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}

// relative makes a path relative to the repository or to where the session
// started; "" when it lies outside both or is not one line of plain text.
func (b *book) relative(p string) string {
	p = path.Clean(b.belowRoots(slashed(p)))
	if p == "." || !fs.ValidPath(p) || len(p) > longestPath || strings.ContainsAny(p, "\n\r\x00") {
		return ""
	}
	return b.opt.Redactor.Text(p)
}

// belowRoots cuts the root off an absolute path, "" for one that is below none.
func (b *book) belowRoots(p string) string {
	if !strings.HasPrefix(p, "/") && !hasDrive(p) {
		return p
	}
	for _, root := range b.roots {
		if rest, ok := below(root, p); ok {
			return rest
		}
	}
	return ""
}

// hasDrive reports whether a path begins with a drive, such as "C:/".
func hasDrive(p string) bool { return len(p) > 2 && p[1] == ':' }

// below cuts a root off a path. A path with a drive is in any letter case. Where accents
// are composed in one and not in the other, which one folder is on macOS, the rest is as
// git keeps it there: composed.
func below(root, p string) (rest string, ok bool) {
	if rest, ok := strings.CutPrefix(p, root+"/"); ok {
		return rest, true
	}
	return cutPrefixFold(norm.NFC.String(p), norm.NFC.String(root)+"/", hasDrive(p))
}

// cutPrefixFold cuts a prefix off, in any letter case if that is asked for.
func cutPrefixFold(s, prefix string, foldCase bool) (string, bool) {
	head := s[:min(len(s), len(prefix))]
	if head == prefix || foldCase && strings.EqualFold(head, prefix) {
		return s[len(head):], true
	}
	return "", false
}

// inProgress is the status of a step that is being worked on.
const inProgress = "in_progress"

// Bounds of a step of the to-do list.
const (
	stepSize = 200 // bytes
	maxSteps = 50
)

// todos takes over the agent's to-do list.
func (b *book) todos(tasks []transcript.Task) {
	before := b.s.Plan
	b.s.Plan = nil
	for _, x := range tasks {
		step := session.Step{Status: stepStatus(x.Status), Text: b.stepText(x.Text)}
		step.Worked = slices.ContainsFunc(before,
			func(s session.Step) bool { return s.Text == step.Text && workedOn(s) })
		b.s.Plan = append(b.s.Plan, step)
	}
}

// workedOn reports whether somebody works on a step, or did.
func workedOn(s session.Step) bool { return s.Worked || s.Status == inProgress }

func (b *book) stepText(text string) string { return prose.Clip(b.opt.Redactor.Line(text), stepSize) }

// newTask adds a step to the to-do list.
func (b *book) newTask(text string) {
	text = b.stepText(text)
	known := slices.ContainsFunc(b.s.Plan, func(s session.Step) bool { return s.Text == text })
	if text != "" && !known && len(b.s.Plan) < maxSteps {
		b.s.Plan = append(b.s.Plan, session.Step{Key: nextKey(b.s.Plan), Status: "pending", Text: text})
	}
}

// setTask changes the status of a step.
func (b *book) setTask(task transcript.Task) {
	i := slices.IndexFunc(b.s.Plan, func(s session.Step) bool { return s.Key == task.ID })
	if i < 0 || task.ID == "" || task.Status == "" {
		return
	}
	if task.Status == "deleted" {
		b.s.Plan = slices.Delete(b.s.Plan, i, i+1)
		return
	}
	step := &b.s.Plan[i]
	step.Worked = workedOn(*step)
	step.Status = stepStatus(task.Status)
}

// nextKey is the id the agent will give its next task: they count from 1.
func nextKey(steps []session.Step) string {
	last := 0
	for _, s := range steps {
		if n, err := strconv.ParseUint(s.Key, 10, 24); err == nil {
			last = max(last, int(n))
		}
	}
	return itoa(last + 1)
}

func stepStatus(s string) string {
	switch s {
	case inProgress, "completed", "pending":
		return s
	}
	return "pending"
}
