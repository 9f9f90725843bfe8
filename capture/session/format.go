package session

import (
	"cmp"
	"errors"
	"fmt"
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
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '.', r == '/':
			return '-'
		case strings.ContainsRune(letters+digits+"_-", r):
			return r
		}
		return -1
	}, s)
	s = strings.TrimLeft(s, "-")
	return cmp.Or(s[:min(len(s), 80)], "unknown")
}

const (
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
)

// Format writes a session record. It is the inverse of [Parse].
func Format(s *Session) []byte {
	var b strings.Builder
	b.WriteString("---\n")
	for _, f := range fields() {
		if value := f.print(s); value != "" {
			b.WriteString(f.key + ": " + value + "\n")
		}
	}
	b.WriteString(s.Unknown)
	b.WriteString("---\n")
	for _, section := range sections() {
		if items := section.print(s); len(items) > 0 {
			b.WriteString("\n## " + section.title + "\n" + strings.Join(items, "\n") + "\n")
		}
	}
	return []byte(b.String())
}

// flat is text as one line, which is all that an item can hold.
func flat(s string) string { return memory.OneLine(memory.Clean(s)) }

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

// recordLimit bounds a record before it is parsed.
const recordLimit = 4 << 20

var errNotRecord = errors.New("not a session record: no frontmatter")

// ParseHead reads the frontmatter alone of what [Format] wrote.
func ParseHead(data []byte) (*Session, error) {
	s, _, err := parseHead(data)
	return s, err
}

func parseHead(data []byte) (s *Session, body string, err error) {
	if len(data) > recordLimit {
		return nil, "", fmt.Errorf("session record of %d bytes is over the limit of %d", len(data), recordLimit)
	}
	text, ok := strings.CutPrefix(strings.ReplaceAll(string(data), "\r\n", "\n"), "---\n")
	// The line before the frontmatter and the one behind the record may be its ends too.
	head, body, ended := strings.Cut("\n"+text+"\n", "\n---\n")
	if !ok || !ended {
		return nil, "", errNotRecord
	}
	s = &Session{}
	s.head(head)
	return s, body, nil
}

// Parse reads what [Format] wrote. It tolerates records of other
// versions and keeps frontmatter keys it does not know.
func Parse(data []byte) (*Session, error) {
	s, body, err := parseHead(data)
	if err != nil {
		return nil, err
	}
	read := readerOf("")
	var notes strings.Builder
	for line := range strings.SplitSeq(body, "\n") {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			if read = readerOf(title); title == notesTitle {
				read = func(_ *Session, line string) { notes.WriteString(line + "\n") }
			}
			continue
		}
		read(s, line)
	}
	s.Notes = parseNotes(notes.String())
	s.PlanText = strings.TrimSpace(s.PlanText)
	return s, nil
}
