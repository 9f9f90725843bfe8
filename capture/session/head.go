package session

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/memory"
)

// field is one key of the frontmatter: its value as a record has it, "" for none, and how
// it is read, without quotes.
type field struct {
	key   string
	print func(s *Session) string
	read  func(s *Session, value string)
}

// fields are all known keys, in their order.
var fields = lazy.Value(func() []field {
	return []field{
		word("agent", func(s *Session) *string { return &s.Agent }),
		word("session", func(s *Session) *string { return &s.ID }),
		word("branch", func(s *Session) *string { return &s.Branch }),
		word("title", func(s *Session) *string { return &s.Title }),
		moment("start", func(s *Session) *time.Time { return &s.Start }),
		moment("end", func(s *Session) *time.Time { return &s.End }),
		word("head", func(s *Session) *string { return &s.Head }),
		word("head_now", func(s *Session) *string { return &s.HeadNow }),
		count("turns", func(s *Session) *int { return &s.Turns }),
		count("errors", func(s *Session) *int { return &s.Errors }),
		count("calls", func(s *Session) *int { return &s.Calls }),
		count("edit_call", func(s *Session) *int { return &s.EditCall }),
		count("edit_seconds", func(s *Session) *int { return &s.EditSeconds }),
		count("corrections", func(s *Session) *int { return &s.Corrections }),
		{
			"watched",
			func(s *Session) string { return mark(s.Watched) },
			func(s *Session, v string) { s.Watched = v == watched },
		},
		count("not_english", func(s *Session) *int { return &s.NotEnglish }),
		{
			"private",
			func(s *Session) string { return number(s.Private) },
			func(s *Session, v string) { s.Private = parseNumber(v) },
		},
		count("broken", func(s *Session) *int { return &s.Skipped.Broken }),
		count("too_long", func(s *Session) *int { return &s.Skipped.TooLong }),
		{
			"unknown",
			func(s *Session) string { return quoted(s.Skipped.Types(0)) },
			func(s *Session, v string) { s.Skipped.Unknown = parseTypes(v) },
		},
		{
			"plan",
			func(s *Session) string { return quoted(string(s.PlanID)) },
			func(s *Session, v string) { s.PlanID, _ = memory.ParseID(v) },
		},
		count("plan_line", func(s *Session) *int { return &s.PlanRecord }),
		count("curated", func(s *Session) *int { return &s.Curated }),
		{
			"cursor",
			func(s *Session) string { return s.Cursor.String() },
			func(s *Session, v string) { s.Cursor = parseCursor(v) },
		},
	}
})

func word(key string, at func(s *Session) *string) field {
	return field{key, func(s *Session) string { return quoted(*at(s)) }, func(s *Session, v string) { *at(s) = v }}
}

func moment(key string, at func(s *Session) *time.Time) field {
	return field{
		key,
		func(s *Session) string { return quoted(formatStamp(*at(s))) },
		func(s *Session, v string) { *at(s) = parseStamp(v) },
	}
}

func count(key string, at func(s *Session) *int) field {
	return field{
		key,
		func(s *Session) string { return number(int64(*at(s))) },
		func(s *Session, v string) { *at(s) = int(min(parseNumber(v), math.MaxInt32)) },
	}
}

// watched is the value of a mark that is set. It is no word that YAML reads as something else.
const watched = "all"

// mark is a mark as a record has it; "" for one that is not set.
func mark(set bool) string {
	if set {
		return watched
	}
	return ""
}

// number is a count as a record has it; "" for 0.
func number(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// parseNumber reads a number from 0 on, and gives 0 for the rest.
func parseNumber(v string) int64 {
	n, _ := strconv.ParseInt(v, 10, 64)
	return max(n, 0)
}

// head takes the lines of the frontmatter in.
func (s *Session) head(lines string) {
	keep := false // the line before is of an unknown key, whose continuation lines belong to it
	for line := range strings.SplitSeq(strings.TrimPrefix(lines, "\n"), "\n") {
		if key, value, ok := cutKey(line); ok {
			keep = !s.set(key, value)
		}
		if keep || strings.HasPrefix(line, "#") {
			s.Unknown += line + "\n"
		}
	}
}

// cutKey parts a line at its colon; ok is false for comments and for lines that continue a value.
func cutKey(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(line, ":")
	return key, strings.TrimSpace(value), ok && !strings.ContainsAny(line[:1], " \t-#")
}

// set reads a value. It reports whether the key is known.
func (s *Session) set(key, value string) bool {
	for _, f := range fields() {
		if f.key == key {
			f.read(s, unquoted(value))
			return true
		}
	}
	return false
}

// quoted is a value as a record has it, in quotes where YAML would not read it as the same
// plain string; "" for none.
func quoted(s string) string {
	if s == "" {
		return ""
	}
	if s = flat(s); isPlain(s) {
		return s
	}
	q, _ := json.Marshal(s)
	return string(q)
}

func isPlain(s string) bool {
	if s == "" || strings.IndexByte(digits+"-.", s[0]) >= 0 || strings.Trim(s, letters+digits+"_/-.") != "" {
		return false
	}
	return !slices.Contains(
		[]string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"},
		strings.ToLower(s),
	)
}

func unquoted(v string) string {
	var s string
	if strings.HasPrefix(v, `"`) && json.Unmarshal([]byte(v), &s) == nil {
		return flat(s)
	}
	return flat(v)
}

// String is the cursor as a record has it.
func (c Cursor) String() string {
	return fmt.Sprintf(
		"{inode: %d, offset: %d, hash: %s, lines: %d, context: %d, context_lines: %d, stable: %d, before: %d, "+
			"topic_files: %d}",
		c.Inode, c.Offset, cmp.Or(quoted(c.Hash), `""`), c.Lines, c.Context, c.ContextLines, c.Stable, c.Before,
		c.TopicFiles,
	)
}

func parseCursor(v string) Cursor {
	values := map[string]string{}
	for part := range strings.SplitSeq(strings.Trim(v, "{}"), ",") {
		key, value, _ := strings.Cut(part, ":")
		values[strings.TrimSpace(key)] = unquoted(strings.TrimSpace(value))
	}
	read := func(key string) int64 { return parseNumber(values[key]) }
	c := Cursor{
		Offset: read("offset"), Context: read("context"), Before: read("before"), Lines: int(read("lines")),
		ContextLines: int(read("context_lines")), Stable: int(read("stable")), TopicFiles: int(read("topic_files")),
	}
	c.Inode, _ = strconv.ParseUint(values["inode"], 10, 64)
	if hash := values["hash"]; hash != "" {
		c.Hash = pathWord(hash)
	}
	if c.Context > c.Offset || c.Stable > c.Lines || c.ContextLines > min(c.Lines, c.Stable) {
		return Cursor{}
	}
	return c
}
