package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// Path is where the record lives in the journal:
// "sessions/<yyyy-mm>/<agent>-<session>.md".
func (s *Session) Path() string {
	month := s.Start
	if month.IsZero() {
		month = s.End
	}
	return "sessions/" + month.UTC().Format("2006-01") + "/" + pathWord(s.Agent) + "-" + pathWord(s.ID) + ".md"
}

// pathWord makes a word that is safe as part of a file name: session ids come
// from transcripts.
func pathWord(s string) string {
	var b strings.Builder
	for i := 0; i < len(s) && b.Len() < 80; i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-' && b.Len() > 0:
			b.WriteByte(c)
		case (c == '.' || c == '/') && b.Len() > 0:
			b.WriteByte('-')
		}
	}
	if b.Len() == 0 {
		return "unknown"
	}
	return b.String()
}

// recordWriter writes the lines of a record.
type recordWriter struct{ strings.Builder }

func (w *recordWriter) key(name, value string) {
	if value != "" {
		w.WriteString(name + ": " + quoteValue(value) + "\n")
	}
}

func (w *recordWriter) count(name string, n int64) {
	if n != 0 {
		w.WriteString(name + ": " + strconv.FormatInt(n, 10) + "\n")
	}
}

func (w *recordWriter) section(title string, n int) {
	if n > 0 {
		w.WriteString("\n## " + title + "\n")
	}
}

// Format writes a session record. It is the inverse of [Parse].
func Format(s *Session) []byte {
	var w recordWriter
	w.WriteString("---\n")
	w.key("agent", s.Agent)
	w.key("session", s.ID)
	w.key("branch", s.Branch)
	w.key("title", s.Title)
	w.key("start", formatStamp(s.Start))
	w.key("end", formatStamp(s.End))
	w.key("head", s.Head)
	w.key("head_now", s.HeadNow)
	w.count("turns", int64(s.Turns))
	w.count("errors", int64(s.Errors))
	w.count("not_english", int64(s.NotEnglish))
	w.count("private", s.Private)
	w.count("broken", int64(s.Skipped.Broken))
	w.count("too_long", int64(s.Skipped.TooLong))
	w.key("unknown", s.Skipped.Types(0))
	w.key("plan", string(s.PlanID))
	w.count("plan_line", int64(s.PlanRecord))
	w.count("curated", int64(s.Curated))
	w.key("subjects", formatSubjects(s.Subjects))
	c := s.Cursor
	fmt.Fprintf(&w, "cursor: {inode: %d, offset: %d, hash: %s, lines: %d, context: %d, context_lines: %d, stable: %d, before: %d, topic_files: %d}\n",
		c.Inode, c.Offset, quoteValue(c.Hash), c.Lines, c.Context, c.ContextLines, c.Stable, c.Before, c.TopicFiles)
	w.WriteString(s.Unknown)
	w.WriteString("---\n")

	w.section("Requests", len(s.Requests))
	for _, q := range s.Requests {
		fmt.Fprintf(&w, "- line %d: %s\n", q.Record+1, flat(q.Text))
	}
	w.topics(s.Topics)
	w.findings("Found", s.Found)
	w.findings("Not kept", s.Weak)
	w.section("Curated", len(s.Decided))
	for _, v := range s.Decided {
		fmt.Fprintf(&w, "- %s %s: %s\n", v.ID, v.Is, flat(v.Note))
	}
	if s.PlanText != "" {
		w.section("Plan", 1)
		for line := range strings.SplitSeq(strings.TrimRight(s.PlanText, "\n"), "\n") {
			w.WriteString("> " + strings.TrimRight(line, " \t\r") + "\n")
		}
	}
	w.section("Steps", len(s.Plan))
	for _, step := range s.Plan {
		box := map[string]string{"completed": "x", "in_progress": "~"}[step.Status]
		if box == "" {
			box = " "
		}
		fmt.Fprintf(&w, "- [%s] %s: %s\n", box, stepKey(step.Key), flat(step.Text))
	}
	for _, l := range []struct {
		title string
		lines []string
	}{{"Modified", s.Modified}, {"Read", s.Read}, {"Commands", s.Commands}} {
		w.section(l.title, len(l.lines))
		for _, x := range l.lines {
			w.WriteString("- " + flat(x) + "\n")
		}
	}
	return []byte(w.String())
}

func (w *recordWriter) findings(title string, list []Finding) {
	w.section(title, len(list))
	for _, f := range list {
		id := string(f.ID)
		if id == "" {
			id = "-"
		}
		fmt.Fprintf(w, "- %s %s %s %s line %d: %s\n", id, f.Type, f.Layer, strconv.FormatFloat(hundredths(f.Confidence), 'f', -1, 64), f.Record+1, flat(f.Title))
	}
}

// hundredths is a confidence as precise as a record holds it.
func hundredths(c float64) float64 { return float64(int(min(max(c, 0), 1)*100+0.5)) / 100 }

// flat is text as one line, which is all that an item can hold.
func flat(s string) string { return memory.OneLine(memory.Clean(s)) }

func stepKey(k string) string {
	if k = pathWord(k); k == "unknown" {
		return "-"
	}
	return k
}

func formatStamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// parseStamp reads what formatStamp wrote, and gives the zero time for the rest.
func parseStamp(s string) time.Time {
	t, _ := time.Parse(time.RFC3339, s)
	return t.UTC().Truncate(time.Second)
}

// quoteValue quotes what YAML would not read as the same plain string.
func quoteValue(s string) string {
	s = flat(s)
	simple := s != ""
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '/':
		case i > 0 && (c >= '0' && c <= '9' || c == '-' || c == '.'):
		default:
			simple = false
		}
	}
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		simple = false
	}
	if simple {
		return s
	}
	q, _ := json.Marshal(s)
	return string(q)
}

// recordLimit bounds a record before it is parsed.
const recordLimit = 4 << 20

var errNotRecord = errors.New("not a session record: no frontmatter")

// Parse reads what [Format] wrote. It tolerates records of other
// versions and keeps frontmatter keys it does not know.
func Parse(data []byte) (*Session, error) {
	if len(data) > recordLimit {
		return nil, fmt.Errorf("session record of %d bytes is over the limit of %d", len(data), recordLimit)
	}
	body, ok := strings.CutPrefix(strings.ReplaceAll(string(data), "\r\n", "\n"), "---\n")
	if !ok {
		return nil, errNotRecord
	}
	s := &Session{}
	keep := false
	for {
		line, rest, found := strings.Cut(body, "\n")
		if !found && line != "---" {
			return nil, errNotRecord
		}
		body = rest
		if line == "---" {
			break
		}
		keep = s.frontmatter(line, keep)
	}
	section := ""
	for line := range strings.SplitSeq(body, "\n") {
		if t, ok := strings.CutPrefix(line, "## "); ok {
			section = t
			continue
		}
		s.item(section, line)
	}
	s.PlanText = strings.Join(strings.Split(strings.TrimSpace(s.PlanText), "\n"), "\n")
	return s, nil
}

// frontmatter takes one line in; kept says whether the line before it was of
// an unknown key, whose continuation lines belong to it.
func (s *Session) frontmatter(line string, kept bool) bool {
	key, value, found := strings.Cut(line, ":")
	if !found || line[0] == ' ' || line[0] == '\t' || line[0] == '-' || line[0] == '#' {
		if kept || line != "" && line[0] == '#' {
			s.Unknown += line + "\n"
		}
		return kept
	}
	v := unquoteValue(strings.TrimSpace(value))
	n, _ := strconv.ParseInt(v, 10, 64)
	switch key {
	case "agent":
		s.Agent = v
	case "session":
		s.ID = v
	case "branch":
		s.Branch = v
	case "title":
		s.Title = v
	case "start":
		s.Start = parseStamp(v)
	case "end":
		s.End = parseStamp(v)
	case "head":
		s.Head = v
	case "head_now":
		s.HeadNow = v
	case "turns":
		s.Turns = int(max(n, 0))
	case "errors":
		s.Errors = int(max(n, 0))
	case "not_english":
		s.NotEnglish = int(max(n, 0))
	case "broken":
		s.Skipped.Broken = int(min(max(n, 0), math.MaxInt32))
	case "too_long":
		s.Skipped.TooLong = int(min(max(n, 0), math.MaxInt32))
	case "unknown":
		s.Skipped.Unknown = parseTypes(v)
	case "private":
		s.Private = max(n, 0)
	case "plan":
		if id, err := memory.ParseID(v); err == nil {
			s.PlanID = id
		}
	case "plan_line":
		s.PlanRecord = int(max(n, 0))
	case "curated":
		s.Curated = int(min(max(n, 0), math.MaxInt32))
	case "subjects":
		s.Subjects = parseSubjects(v)
	case "cursor":
		s.Cursor = parseCursor(strings.TrimSpace(value))
	default:
		s.Unknown += line + "\n"
		return true
	}
	return false
}

func unquoteValue(v string) string {
	var s string
	if strings.HasPrefix(v, `"`) && json.Unmarshal([]byte(v), &s) == nil {
		return flat(s)
	}
	return flat(v)
}

func parseCursor(v string) Cursor {
	var c Cursor
	for part := range strings.SplitSeq(strings.Trim(v, "{}"), ",") {
		key, value, _ := strings.Cut(part, ":")
		value = unquoteValue(strings.TrimSpace(value))
		n, _ := strconv.ParseInt(value, 10, 64)
		n = max(n, 0)
		switch strings.TrimSpace(key) {
		case "inode":
			c.Inode, _ = strconv.ParseUint(value, 10, 64)
		case "offset":
			c.Offset = n
		case "hash":
			c.Hash = pathWord(value)
			if value == "" {
				c.Hash = ""
			}
		case "lines":
			c.Lines = int(n)
		case "context":
			c.Context = n
		case "context_lines":
			c.ContextLines = int(n)
		case "stable":
			c.Stable = int(n)
		case "before":
			c.Before = n
		case "topic_files":
			c.TopicFiles = int(n)
		}
	}
	if c.Context > c.Offset || c.ContextLines > c.Lines || c.Stable > c.Lines || c.ContextLines > c.Stable {
		return Cursor{}
	}
	return c
}

// item takes one line of a section in; lines it cannot read are dropped.
func (s *Session) item(section, line string) {
	if section == "Topics" {
		s.topic(line)
		return
	}
	if section == "Plan" {
		if t, ok := strings.CutPrefix(line, "> "); ok {
			s.PlanText += strings.TrimRight(t, " \t") + "\n"
		} else if line == ">" {
			s.PlanText += "\n"
		}
		return
	}
	x, ok := strings.CutPrefix(line, "- ")
	if x = flat(x); !ok || x == "" {
		return
	}
	switch section {
	case "Requests":
		if n, t, ok := lineOf(x); ok {
			s.Requests = append(s.Requests, Request{n, t})
		}
	case "Found":
		if f, ok := parseFinding(x); ok && f.ID != "" {
			s.Found = append(s.Found, f)
		}
	case "Not kept":
		if f, ok := parseFinding(x); ok {
			f.ID = ""
			s.Weak = append(s.Weak, f)
		}
	case "Curated":
		if v, ok := parseVerdict(x); ok {
			s.Decide(v)
		}
	case "Steps":
		if len(x) < 4 || x[0] != '[' || x[2] != ']' {
			return
		}
		key, t, found := strings.Cut(x[4:], ": ")
		if !found || t == "" {
			return
		}
		if key = stepKey(key); key == "-" {
			key = ""
		}
		s.Plan = append(s.Plan, Step{Key: key, Status: map[byte]string{'x': "completed", '~': "in_progress"}[x[1]], Text: t})
		if last := &s.Plan[len(s.Plan)-1]; last.Status == "" {
			last.Status = "pending"
		}
	case "Modified":
		s.Modified = appendNew(s.Modified, x)
	case "Read":
		s.Read = appendNew(s.Read, x)
	case "Commands":
		s.Commands = append(s.Commands, x)
	}
}

func appendNew(list []string, x string) []string {
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

// parseVerdict reads "ID dropped: why".
func parseVerdict(x string) (Verdict, bool) {
	head, note, _ := strings.Cut(x, ":")
	id, is, _ := strings.Cut(head, " ")
	parsed, err := memory.ParseID(id)
	switch is {
	case Became, Dropped, Left, Folded:
		return Verdict{ID: parsed, Is: is, Note: strings.TrimSpace(note)}, err == nil
	}
	return Verdict{}, false
}

func parseFinding(x string) (Finding, bool) {
	cells := strings.SplitN(x, " ", 5)
	if len(cells) != 5 {
		return Finding{}, false
	}
	typ := memory.Type(cells[1])
	conf, err := strconv.ParseFloat(cells[3], 64)
	n, title, ok := lineOf(cells[4])
	if !typ.Valid() || err != nil || !(conf >= 0 && conf <= 1) || !ok {
		return Finding{}, false
	}
	layer := Layer(cells[2])
	if !KnownLayer(layer) {
		return Finding{}, false
	}
	f := Finding{Type: typ, Layer: layer, Confidence: hundredths(conf), Record: n, Title: title}
	if cells[0] != "-" {
		id, err := memory.ParseID(cells[0])
		if err != nil {
			return Finding{}, false
		}
		f.ID = id
	}
	return f, true
}
