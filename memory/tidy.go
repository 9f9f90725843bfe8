package memory

import (
	"slices"
	"strings"
	"time"
)

// Tidy brings every field into the form in which [Parse] returns it, so that a
// memory that a program put together can be written and read back: titles and
// tags become one line of valid UTF-8 within the limits, lists lose repeated
// items, numbers are brought into their ranges, and values that no file can
// hold (a path outside of the repository, a link to something that is not an
// id) are dropped. [New] and [Format] call it. [Memory.Validate] reports what it
// cannot mend. Lists are copied, never changed in place.
func (m *Memory) Tidy() {
	for _, f := range Fields() {
		f.value.tidy(m)
	}
	m.Text = tidyText(m.Text)
}

// Validate returns why the file that [Format] writes for m could not be read
// back: there is no id, type, title or date, which [Memory.Tidy] cannot mend,
// or more text than a file may hold.
func (m *Memory) Validate() error {
	_, err := new(Parser).parse(string(Format(m)))
	return err
}

// kept returns the items that parse accepts, each once, up to the limit of a
// list.
func kept[T comparable](items []T, parse func(T) (T, error)) []T {
	var out []T
	for _, item := range items {
		if item, err := parse(item); err == nil && !slices.Contains(out, item) && len(out) < MaxList {
			out = append(out, item)
		}
	}
	return out
}

// unique drops repeated items of a list in place.
func unique[T comparable](items []T) []T {
	out := items[:0]
	for _, item := range items {
		if !slices.Contains(out, item) {
			out = append(out, item)
		}
	}
	return out
}

func tidyItem(s string) (string, error) { return parseItem(repair(s)) }

func tidyLink(l Link) (Link, error) {
	if _, err := ParseID(string(l.To)); err != nil {
		return l, err
	}
	rel, err := ParseRel(string(l.Rel))
	return Link{rel, l.To}, err
}

func tidyAnchor(a Anchor) (Anchor, error) {
	if _, err := parsePath(a.Path); err != nil {
		return a, err
	}
	blob, err := parseHex(a.Blob)
	return Anchor{a.Path, blob}, err
}

func tidyTime(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

func tidyConfidence(f float64) float64 {
	if !(f > 0) { // also for NaN
		return 0
	}
	return roundConfidence(min(f, 1))
}

func repair(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

// cutTitle returns s as one line of at most [MaxTitle] bytes, cut between words
// if there is a space in the last quarter.
func cutTitle(s string) string {
	const dots = "…"
	if s = OneLine(s); len(s) <= MaxTitle {
		return s
	}
	end := len(strings.ToValidUTF8(s[:MaxTitle-len(dots)], ""))
	if space := strings.LastIndexByte(s[:end], ' '); space > MaxTitle*3/4 {
		end = space
	}
	return strings.TrimRight(s[:end], " ") + dots
}
