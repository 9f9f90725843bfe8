package projection

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// A plan that is older than the newest record of the page by more than this
// is no longer the active one.
const planLapse = 60 * 24 * time.Hour

// planDone is the number of finished, replaced or lapsed plans that are listed.
const planDone = 10

// step is one item of a plan: a checkbox of its text, or a memory linked to it.
type step struct {
	text string
	done bool
	box  bool           // a checkbox of the plan's text
	now  bool           // the plan's text says that it is in progress
	by   *memory.Memory // the memory that completes the step, or that is the step
	too  *memory.Memory // one of another session that completes it once more
	more bool           // another session than that which did it did it once more
}

// Step is one step of a plan, as its page shows it.
type Step struct {
	Text    string
	Done    bool
	Current bool // the one that work is at
	Mark    string
	// By is the last memory but the plan that says that the step is done, or that is the
	// step; nil for none.
	By *memory.Memory
}

// Steps returns the steps of a plan. Among records are the memories that link to it.
func Steps(plan *memory.Memory, records []*memory.Memory) []Step {
	all := []*memory.Memory{plan}
	all = append(all, lists.Where(records, func(r *memory.Memory) bool {
		return slices.Contains(r.Linked(memory.StepOf), plan.ID)
	})...)
	slices.SortFunc(all, newestFirst)
	if plans := foldPlans(all); len(plans) > 0 {
		return plans[0].shown()
	}
	return nil
}

func (f *folded) shown() []Step {
	out := make([]Step, len(f.steps))
	for i, s := range f.steps {
		out[i] = Step{s.text, s.done, i == f.current(), f.mark(i), cmp.Or(s.too, s.by)}
	}
	return out
}

// State is how far a plan came, as every view of it says it.
type State struct {
	Plan  *memory.Memory
	Steps []Step
	Done  int    // of the steps
	Open  bool   // neither finished, replaced nor lapsed
	Said  string // how far it came, what was passed over and what was done again; "" without steps
}

// States are the plans among records, the open ones first, and of these the active one.
func States(records []*memory.Memory) []State {
	newest := slices.Clone(records)
	slices.SortFunc(newest, newestFirst)
	open, closed := openPlans(newest)
	out := lists.Map(slices.Concat(open, closed), (*folded).state)
	for i := range open {
		out[i].Open = true
	}
	return out
}

func (f *folded) state() State {
	return State{Plan: f.plan, Steps: f.shown(), Done: f.done(), Said: f.said()}
}

// said is how far a plan came, in words; "" where it has no steps.
func (f *folded) said() string {
	if len(f.steps) == 0 {
		return ""
	}
	return strings.Join(strings.Fields(f.progress()+". "+f.passedOver()+" "+f.repeats()), " ")
}

// Marks of the steps of a plan.
const (
	markDone    = "✅ "
	markCurrent = "➡️ "
	markOpen    = "⬜ "
)

func (f *folded) mark(i int) string {
	switch {
	case f.steps[i].done:
		return markDone
	case i == f.current():
		return markCurrent
	}
	return markOpen
}

// current is the step that work is at: the one that is said to be in progress, else the
// first open one behind the last that is done, else the first open one; -1 for none.
func (f *folded) current() int {
	if i := slices.IndexFunc(f.steps, func(s step) bool { return s.now && !s.done }); i >= 0 {
		return i
	}
	isOpen := func(s step) bool { return !s.done }
	behind := 0 // the last that is done
	for i, s := range f.steps {
		if s.done {
			behind = i + 1
		}
	}
	if i := slices.IndexFunc(f.steps[behind:], isOpen); i >= 0 {
		return behind + i
	}
	return slices.IndexFunc(f.steps, isOpen)
}

// goesOn reports whether a plan was begun and has a step ahead: its last one is open.
func (f *folded) goesOn() bool { return f.done() > 0 && !f.steps[len(f.steps)-1].done }

// gaps are the numbers of open steps that were passed over: a later one is done.
func (f *folded) gaps() []string {
	var out, open []string
	for i, s := range f.steps {
		if !s.done {
			open = append(open, strconv.Itoa(i+1))
		} else {
			out = append(out, open...)
			open = nil
		}
	}
	return out
}

// passedOver says which steps were passed over; "" for none.
func (f *folded) passedOver() string {
	return ofSteps(f.gaps(), " was passed over: a later one is done.", " were passed over: later ones are done.")
}

// ofSteps is a sentence about one step or several; "" for none.
func ofSteps(numbers []string, one, several string) string {
	switch len(numbers) {
	case 0:
		return ""
	case 1:
		return "Step " + numbers[0] + one
	}
	return "Steps " + strings.Join(numbers, ", ") + several
}

// repeats says which steps were done once more by a later session; "" for none.
func (f *folded) repeats() string {
	var out []string
	for i, s := range f.steps {
		if s.more {
			out = append(out, strconv.Itoa(i+1))
		}
	}
	return ofSteps(out, " was done again by a later session.", " were done again by later sessions.")
}

// folded is a plan together with its steps.
type folded struct {
	plan     *memory.Memory
	intro    string // the text without its checkboxes
	steps    []step
	last     time.Time // of its newest record
	replaced *memory.Memory
}

func (f *folded) done() int {
	return len(lists.Where(f.steps, func(s step) bool { return s.done }))
}

// finished reports whether all checkboxes of a plan are ticked. A plan in prose
// has none and stays open until it is replaced or lapses.
func (f *folded) finished() bool {
	return f.done() == len(f.steps) && slices.ContainsFunc(f.steps, func(s step) bool { return s.box })
}

// isElsewhere reports whether a plan in prose that waits is that of another branch: nothing there can say that it is
// over.
func (f *folded) isElsewhere(it *Item) bool {
	return len(f.steps) == 0 && it.waits() && it.Memory.Source.Branch != "" && !it.SameBranch
}

func (f *folded) progress() string {
	return fmt.Sprintf("%d of %s done", f.done(), count(len(f.steps), "step", "steps"))
}

// foldPlans folds the steps among records into their plans, newest plan first.
func foldPlans(all []*memory.Memory) []*folded {
	plans := map[memory.ID]*folded{}
	// What a file says is to be done is no plan of anybody here, and no step of one.
	records := lists.Without(all, (*memory.Memory).Outside)
	var out []*folded
	for _, r := range records {
		if r.IsPlan() {
			f := &folded{plan: r, last: touched(r)}
			f.intro, f.steps = parseSteps(r.Text)
			plans[r.ID] = f
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *folded) int {
		return cmp.Or(touched(b.plan).Compare(touched(a.plan)), newestFirst(a.plan, b.plan))
	})
	for _, r := range slices.Backward(records) { // oldest first: steps in the order they were done
		for _, id := range r.Linked(memory.StepOf) {
			if f := plans[id]; f != nil && Plan.own(r) {
				f.add(r)
			}
		}
		for _, id := range r.Linked(memory.Supersedes) {
			if f := plans[id]; f != nil && id != r.ID {
				f.replaced = r
			}
		}
	}
	return out
}

// add ticks the step that r completes, or appends r as a step of its own.
func (f *folded) add(r *memory.Memory) {
	f.last = latest(f.last, touched(r))
	done := isDone(r)
	s := f.stepLike(r.Title)
	if s == nil {
		f.steps = append(f.steps, step{text: r.Title, done: done, by: r})
		return
	}
	if s.done && done {
		f.addAgain(s, r)
		return
	}
	s.by, s.done = r, s.done || done
}

// addAgain notes that r completes a step that was done.
func (f *folded) addAgain(s *step, r *memory.Memory) {
	s.more = s.more || inOtherSession(f.doneBefore(s, r), r)
	if inOtherSession(s.by, r) {
		s.too = r
	} else {
		s.by = r
	}
}

// isDone reports whether a step of a plan is done: one that is a plan itself, when its own
// steps are.
func isDone(r *memory.Memory) bool {
	if r.Type != memory.Plan {
		return true
	}
	_, steps := parseSteps(r.Text)
	return len(steps) > 0 && !slices.ContainsFunc(steps, func(s step) bool { return !s.done })
}

// doneBefore is the memory that says that a step was done before r; nil for none.
func (f *folded) doneBefore(s *step, r *memory.Memory) *memory.Memory {
	if s.by == nil && !f.plan.Updated.After(r.Created) { // else somebody ticked the box since
		return f.plan
	}
	return s.by
}

func inOtherSession(before, r *memory.Memory) bool {
	return before != nil && sessionKey(before) != sessionKey(r)
}

// touched is when a memory was last changed.
func touched(m *memory.Memory) time.Time { return latest(m.Created, m.Updated) }

// stepLike is the step that a title names most likely, the first of several; nil for none.
func (f *folded) stepLike(title string) *step {
	i := sameness.LikestStep(title, lists.Map(f.steps, func(s step) string { return s.text }))
	if i < 0 {
		return nil
	}
	return &f.steps[i]
}

// parseSteps splits a plan's text into checkboxes and the rest.
func parseSteps(text string) (intro string, steps []step) {
	var rest strings.Builder
	fenced := ""
	for line := range strings.Lines(text) {
		run := fenceRun(strings.TrimLeft(strings.TrimRight(line, "\n"), " "))
		s, ok := parseStep(line)
		if ok && fenced == "" && run == "" {
			steps = append(steps, s)
		} else {
			rest.WriteString(line)
		}
		fenced = fenceAfter(fenced, run)
	}
	return strings.Trim(rest.String(), "\n"), steps
}

// fenceAfter is the run that opened the code block behind a line which begins with a run,
// "" outside of one.
func fenceAfter(fenced, run string) string {
	switch {
	case fenced == "":
		return run
	case run != "" && strings.HasPrefix(run, fenced):
		return ""
	}
	return fenced
}

// parseStep reads "- [x] text". The item may be numbered, and "[~]" or "[-]"
// marks a step in progress.
func parseStep(line string) (step, bool) {
	m := stepLine().FindStringSubmatch(strings.TrimSpace(line))
	if m == nil {
		return step{}, false
	}
	s := step{text: strings.TrimSpace(m[2]), box: true}
	switch m[1] {
	case "x", "X":
		s.done = true
	case "~", "-":
		s.now = true
	}
	return s, s.text != ""
}

// stepLine matches a checkbox: what is in it, and the text behind it.
var stepLine = lazy.Pattern(`^(?:[0-9]+[.)]|[-*+])[ \t]*\[([xX~ -])\] (.*)$`)

// split divides plans into open ones and the rest; now is the time of the
// newest record, so that the page needs no clock.
func split(plans []*folded, now time.Time) (open, closed []*folded) {
	isClosed := func(f *folded) bool { return f.isClosed(now) }
	return lists.Without(plans, isClosed), lists.Where(plans, isClosed)
}

func (f *folded) isClosed(now time.Time) bool {
	lapsed := now.Sub(f.last) > planLapse && !f.plan.Pinned
	return lapsed || f.replaced != nil || f.finished()
}

// foremost moves the active plan to the front. It is the newest, except that a
// plan in prose comes after one with steps from the same session: at the end of
// a session, prose usually says what is left of the plan that it worked on.
func foremost(open []*folded) []*folded {
	if len(open) == 0 || len(open[0].steps) > 0 {
		return open
	}
	i := slices.IndexFunc(open, func(f *folded) bool {
		return len(f.steps) > 0 && sessionKey(f.plan) == sessionKey(open[0].plan)
	})
	if i < 0 {
		return open
	}
	out := append([]*folded{open[i]}, open[:i]...)
	return append(out, open[i+1:]...)
}

// plan lays out active-plan.md from records, newest first.
func (w *writer) plan(records []*memory.Memory) {
	w.heading(1, "Active plan")
	w.paragraph(generated)
	open, closed := openPlans(records)
	if len(open) == 0 {
		w.paragraph("No plan is open.")
	} else {
		w.folded(open[0])
	}
	if len(open) > 1 {
		w.heading(2, "Other open plans")
		for _, f := range open[1:] {
			w.item(f.plan, "", f.notes()...)
		}
	}
	if len(closed) > 0 {
		w.heading(2, "Finished, replaced or lapsed")
		for _, f := range closed[:min(len(closed), planDone)] {
			w.item(f.plan, "", f.notes()...)
		}
	}
}

// openPlans are the open plans, the active one first, and the others.
func openPlans(records []*memory.Memory) (open, closed []*folded) {
	var now time.Time
	for _, r := range records {
		now = latest(now, touched(r))
	}
	open, closed = split(foldPlans(records), now)
	return foremost(open), closed
}

func (f *folded) notes() []string {
	var notes []string
	if len(f.steps) > 0 {
		notes = append(notes, f.progress())
	}
	if f.replaced != nil {
		notes = append(notes, "replaced by "+linked(f.replaced))
	}
	return notes
}

func (w *writer) folded(f *folded) {
	shown := *f.plan
	shown.Text = f.intro
	w.entry(&shown, 2)
	if f.plan.Contested {
		w.paragraph("A merge could not reconcile two versions of this plan: it holds both.")
	}
	if len(f.steps) == 0 {
		return
	}
	w.paragraph(f.progress() + ":")
	w.blank()
	for i, s := range f.steps {
		w.WriteString("- " + f.mark(i) + inline(s.text))
		if s.by != nil {
			w.WriteString(fmt.Sprintf(" ([%s](%s), %s) %s", s.by.ID.Short(), href(s.by), date(s.by), marker(s.by)))
		}
		if s.too != nil {
			w.WriteString(fmt.Sprintf(" (done again: [%s](%s), %s) %s",
				s.too.ID.Short(), href(s.too), date(s.too), marker(s.too)))
		}
		w.WriteByte('\n')
	}
	if passed := f.passedOver(); passed != "" {
		w.blank()
		w.paragraph(passed)
	}
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
