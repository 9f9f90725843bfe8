package capture

import (
	"path"
	"slices"
	"strings"
	"time"
)

// Limits of a session record, so that it stays small whatever the session.
const (
	maxCommands = 100
	maxFiles    = 300
	maxRequests = 200
	maxWeak     = 60
	commandSize = 160
)

// book keeps the session record while a transcript is read. Events of lines
// that an earlier run has counted only refresh what is idempotent.
type book struct {
	s       *Session
	opt     *Options
	counted int // lines below this one were counted by an earlier run
	cwd     string
	roots   []string
	files   map[string]bool // every path named by a tool call
	touched []string        // paths named in the turn at hand
}

func newBook(s *Session, opt *Options, counted int) *book {
	b := &book{s: s, opt: opt, counted: counted, files: map[string]bool{}}
	if opt.Root != "" {
		b.roots = append(b.roots, slashed(opt.Root))
	}
	for _, list := range [][]string{s.Modified, s.Read} {
		for _, p := range list {
			b.files[p] = true
		}
	}
	return b
}

func slashed(p string) string { return strings.TrimRight(strings.ReplaceAll(p, `\`, "/"), "/") }

func (b *book) event(e *event) {
	s := b.s
	if e.session != "" && s.ID == "" {
		s.ID = b.opt.Redactor.Line(e.session)
	}
	if e.cwd != "" && b.cwd == "" {
		b.cwd = slashed(e.cwd)
		b.roots = append(b.roots, b.cwd)
	}
	if e.branch != "" && b.opt.Branch == "" {
		s.Branch = b.opt.Redactor.Line(e.branch)
	}
	b.clock(e.time)
	fresh := e.record >= b.counted
	switch e.kind {
	case evTitle:
		if t := b.opt.Redactor.Line(e.text); t != "" {
			s.Title = clip(t, 200)
		}
	case evPrompt:
		if fresh {
			s.Turns++
		}
		if words := b.opt.requestText(e.text); words != "" && len(s.Requests) < maxRequests {
			s.Requests = append(s.Requests, Request{e.record, words})
		}
	case evPlan:
		if fresh {
			s.Turns++
		}
	case evCall:
		b.call(e, fresh)
	case evResult:
		if e.failed && !e.refused && fresh {
			s.Errors++
		}
	}
}

// requestText is the form in which a prompt enters the record.
func (o *Options) requestText(words string) string { return clip(o.Redactor.Line(words), 300) }

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

func (b *book) call(e *event, fresh bool) {
	switch e.tool {
	case toolRead:
		b.s.Read = b.touch(b.s.Read, e)
	case toolWrite, toolEdit:
		b.s.Modified = b.touch(b.s.Modified, e)
	case toolShell:
		if !fresh {
			return
		}
		cmd := clip(b.opt.Redactor.Line(e.shell()), commandSize)
		if cmd == "" || slices.Contains(b.s.Commands, cmd) {
			return
		}
		b.s.Commands = append(b.s.Commands, cmd)
		if n := len(b.s.Commands) - maxCommands; n > 0 {
			b.s.Commands = slices.Clone(b.s.Commands[n:])
		}
	case toolTodos, toolTaskNew, toolTaskSet:
		b.steps(e)
	}
}

func (b *book) touch(list []string, e *event) []string {
	p := b.relative(e.path())
	if p == "" {
		return list
	}
	b.files[p] = true
	if len(b.touched) < topicFiles && !slices.Contains(b.touched, p) {
		b.touched = append(b.touched, p)
	}
	if len(list) >= maxFiles || slices.Contains(list, p) {
		return list
	}
	return append(list, p)
}

// relative makes a path relative to the repository or to where the session
// started; "" when it lies outside both or is not one line of plain text.
func (b *book) relative(p string) string {
	p = slashed(p)
	abs := strings.HasPrefix(p, "/") || len(p) > 2 && p[1] == ':'
	if abs {
		for _, root := range b.roots {
			if rest, ok := cutPrefixFold(p, root+"/", len(p) > 1 && p[1] == ':'); ok {
				p, abs = rest, false
				break
			}
		}
	}
	if abs || p == "" || len(p) > 300 || strings.ContainsAny(p, "\n\r\x00") {
		return ""
	}
	p = path.Clean(p)
	if p == "." || strings.HasPrefix(p, "../") {
		return ""
	}
	return b.opt.Redactor.Text(p)
}

func cutPrefixFold(s, prefix string, foldCase bool) (string, bool) {
	if len(s) < len(prefix) {
		return "", false
	}
	if s[:len(prefix)] == prefix || foldCase && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):], true
	}
	return "", false
}

// steps follows the agent's to-do list.
func (b *book) steps(e *event) {
	switch e.tool {
	case toolTodos:
		b.s.Plan = nil
		for _, x := range e.tasks() {
			b.s.Plan = append(b.s.Plan, Step{Status: stepStatus(x.status), Text: clip(b.opt.Redactor.Line(x.text), 200)})
		}
	case toolTaskNew:
		subject := clip(b.opt.Redactor.Line(e.task().text), 200)
		for _, s := range b.s.Plan {
			if s.Text == subject {
				return
			}
		}
		if subject != "" && len(b.s.Plan) < 50 {
			b.s.Plan = append(b.s.Plan, Step{Key: nextKey(b.s.Plan), Status: "pending", Text: subject})
		}
	case toolTaskSet:
		key, status := e.task().id, e.task().status
		for i := range b.s.Plan {
			if b.s.Plan[i].Key == key && key != "" && status != "" {
				if status == "deleted" {
					b.s.Plan = slices.Delete(b.s.Plan, i, i+1)
					return
				}
				b.s.Plan[i].Status = stepStatus(status)
				return
			}
		}
	}
}

// nextKey is the id the agent will give its next task: they count from 1.
func nextKey(steps []Step) string {
	n := 0
	for _, s := range steps {
		k := 0
		for _, c := range s.Key {
			if c < '0' || c > '9' || k > 1e6 {
				k = 0
				break
			}
			k = k*10 + int(c-'0')
		}
		n = max(n, k)
	}
	return itoa(n + 1)
}

func stepStatus(s string) string {
	switch s {
	case "in_progress", "completed", "pending":
		return s
	}
	return "pending"
}
