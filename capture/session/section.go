package session

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// section is one part of the body of a record: its items as lines, and how a line is read.
// A line that cannot be read is dropped.
type section struct {
	title string
	print func(s *Session) []string
	read  func(s *Session, line string)
}

// sections are all of them, in their order.
var sections = lazy.Value(func() []section {
	return []section{
		{"Requests", printRequests, item(readRequest)},
		{"Topics", printTopics, (*Session).topic},
		{"Found", func(s *Session) []string { return printFindings(s.Found) }, item(readFound)},
		{notesTitle, printNotes, func(*Session, string) {}}, // its lines are read together, see [Parse]
		{"Not kept", func(s *Session) []string { return printFindings(s.Weak) }, item(readWeak)},
		{"Curated", printVerdicts, item(readVerdict)},
		{"Plan", printPlan, readPlan},
		{"Steps", printSteps, item(readStep)},
		{"Modified", func(s *Session) []string { return printItems(s.Modified) }, item(readModified)},
		{"Read", func(s *Session) []string { return printItems(s.Read) }, item(readRead)},
		{"Commands", func(s *Session) []string { return printItems(s.Commands) }, item(readCommand)},
		{"Failed", func(s *Session) []string { return printItems(s.Failed) }, item(readFailed)},
		{"Again", printAgain, item(readAgain)},
	}
})

// readerOf reads the lines of the section with a title.
func readerOf(title string) func(s *Session, line string) {
	for _, section := range sections() {
		if section.title == title {
			return section.read
		}
	}
	return func(*Session, string) {}
}

// item reads the lines of a section that are items of one line.
func item(read func(s *Session, x string)) func(s *Session, line string) {
	return func(s *Session, line string) {
		x, ok := strings.CutPrefix(line, "- ")
		if x = flat(x); ok && x != "" {
			read(s, x)
		}
	}
}

func printItems(list []string) []string {
	return lists.Map(list, func(x string) string { return "- " + flat(x) })
}

func readModified(s *Session, x string) { s.Modified = appendNew(s.Modified, x) }
func readRead(s *Session, x string)     { s.Read = appendNew(s.Read, x) }
func readCommand(s *Session, x string)  { s.Commands = append(s.Commands, x) }

func readFailed(s *Session, x string) { s.Fail(x) }

func printAgain(s *Session) []string {
	return lists.Map(s.Again, func(id memory.ID) string { return "- " + string(id) })
}

func readAgain(s *Session, x string) {
	if id, err := memory.ParseID(x); err == nil {
		s.DecideAgain(id)
	}
}

func printRequests(s *Session) []string {
	return lists.Map(s.Requests, func(q Request) string {
		return fmt.Sprintf("- line %d: %s", q.Record+1, flat(q.Text))
	})
}

func readRequest(s *Session, x string) {
	if n, t, ok := lineOf(x); ok {
		s.Requests = append(s.Requests, Request{n, t})
	}
}

func printPlan(s *Session) []string {
	if s.PlanText == "" {
		return nil
	}
	var out []string
	for line := range strings.SplitSeq(strings.TrimRight(s.PlanText, "\n"), "\n") {
		out = append(out, "> "+strings.TrimRight(line, " \t\r"))
	}
	return out
}

func readPlan(s *Session, line string) {
	if t, ok := strings.CutPrefix(line+" ", "> "); ok {
		s.PlanText += strings.TrimRight(t, " \t") + "\n"
	}
}

// statuses are those of a step, by the mark in its box.
func statuses() [][2]string {
	return [][2]string{{"x", "completed"}, {"~", "in_progress"}, {" ", "pending"}}
}

func printSteps(s *Session) []string {
	var out []string
	for _, step := range s.Plan {
		box := " "
		for _, row := range statuses() {
			if row[1] == step.Status {
				box = row[0]
			}
		}
		out = append(out, fmt.Sprintf("- [%s] %s: %s", box, stepKey(step.Key), flat(step.Text)))
	}
	return out
}

// readStep reads "[x] KEY: TEXT".
func readStep(s *Session, x string) {
	box, rest, _ := strings.Cut(x, "] ")
	if len(box) != len("[x") || box[0] != '[' {
		return
	}
	key, text, _ := strings.Cut(rest, ": ")
	if text == "" {
		return
	}
	step := Step{Key: strings.TrimPrefix(stepKey(key), "-"), Status: "pending", Text: text}
	for _, row := range statuses() {
		if row[0] == box[1:] {
			step.Status = row[1]
		}
	}
	s.Plan = append(s.Plan, step)
}

func stepKey(k string) string {
	if k = pathWord(k); k == "unknown" {
		return "-"
	}
	return k
}

func appendNew[T comparable](list []T, x T) []T {
	if slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}

// lineOf reads "line 12: text".
func lineOf(x string) (record int, rest string, ok bool) {
	x, ok = strings.CutPrefix(x, "line ")
	num, rest, found := strings.Cut(x, ": ")
	n, err := strconv.Atoi(num)
	return n - 1, rest, ok && found && err == nil && n > 0 && rest != ""
}

func printVerdicts(s *Session) []string {
	return lists.Map(s.Decided, func(v Verdict) string {
		return fmt.Sprintf("- %s %s: %s", v.ID, v.Is, flat(v.Note))
	})
}

// readVerdict reads "ID dropped: why".
func readVerdict(s *Session, x string) {
	head, note, _ := strings.Cut(x, ":")
	word, is, _ := strings.Cut(head, " ")
	id, err := memory.ParseID(word)
	if err == nil && slices.Contains([]string{Became, Dropped, Left, Folded}, is) {
		s.Decide(Verdict{ID: id, Is: is, Note: strings.TrimSpace(note)})
	}
}

func printFindings(list []Finding) []string {
	var out []string
	for _, f := range list {
		id := cmp.Or(string(f.ID), "-")
		confidence := strconv.FormatFloat(hundredths(f.Confidence), 'f', -1, 64)
		cells := []string{"-", id, string(f.Type), string(f.Layer), confidence}
		out = append(out, fmt.Sprintf("%s line %d: %s", strings.Join(cells, " "), f.Record+1, flat(f.Title)))
	}
	return out
}

// hundredths is a confidence as precise as a record holds it.
func hundredths(c float64) float64 { return float64(int(min(max(c, 0), 1)*100+0.5)) / 100 }

func readFound(s *Session, x string) {
	if f, ok := parseFinding(x); ok && f.ID != "" {
		s.Found = append(s.Found, f)
	}
}

func readWeak(s *Session, x string) {
	if f, ok := parseFinding(x); ok {
		f.ID = ""
		s.Weak = append(s.Weak, f)
	}
}

// parseFinding reads "ID TYPE LAYER CONFIDENCE line N: TITLE".
func parseFinding(x string) (f Finding, ok bool) {
	cells := strings.SplitN(x, " ", 5)
	if len(cells) != 5 {
		return Finding{}, false
	}
	f.Type, f.Layer = memory.Type(cells[1]), Layer(cells[2])
	known := f.Type.Valid() && KnownLayer(f.Layer)
	var hasConfidence, hasID bool
	f.Confidence, hasConfidence = parseConfidence(cells[3])
	f.ID, hasID = parseFindingID(cells[0])
	if !known || !hasConfidence || !hasID {
		return Finding{}, false
	}
	f.Record, f.Title, ok = lineOf(cells[4])
	return f, ok
}

func parseConfidence(x string) (confidence float64, ok bool) {
	confidence, err := strconv.ParseFloat(x, 64)
	return hundredths(confidence), err == nil && confidence >= 0 && confidence <= 1
}

// parseFindingID reads the id of a memory, "-" for none.
func parseFindingID(x string) (id memory.ID, ok bool) {
	if x == "-" {
		return "", true
	}
	id, err := memory.ParseID(x)
	return id, err == nil
}
