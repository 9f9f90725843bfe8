package memory

import (
	"bytes"
	"cmp"
	"errors"
	"regexp"
	"strings"
	"sync"
)

// Conflict is a memory file in which git left conflict markers, split into the
// versions that were merged.
type Conflict struct {
	Line   int    // of the first marker, 1-based
	Ours   []byte // the whole file of the side that was merged into
	Theirs []byte // the whole file of the other side
	Base   []byte // the common ancestor, which only the diff3 styles show; nil otherwise
	// OursName and TheirsName are the names that git wrote behind the markers,
	// such as "HEAD" and "feature/search"; either may be "".
	OursName, TheirsName string
}

// Errors of [ParseConflict].
var (
	ErrNoConflict = errors.New("there are no conflict markers")
	ErrNested     = errors.New("conflict markers inside of a conflict")
)

// ParseConflict splits a file with conflict markers, in git's styles merge,
// diff3 and zdiff3, with markers of seven or more characters. Its error for a
// file whose markers do not match, or can be read in two ways, is a
// [*ParseError] without a path.
func ParseConflict(data []byte) (*Conflict, error) {
	if len(data) > 2*MaxFile {
		return nil, fail(0, "%d bytes is over the limit of %d", len(data), 2*MaxFile)
	}
	return parseConflict(data)
}

// Conflicted reports whether a text has conflict markers as [ParseConflict] reads them,
// however long it is: a page can be longer than a memory.
func Conflicted(data []byte) bool {
	if !bytes.Contains(data, []byte(conflictStart)) {
		return false
	}
	_, err := parseConflict(data)
	return err == nil
}

func parseConflict(data []byte) (*Conflict, error) {
	var p conflictParser
	for line := range strings.Lines(unixLines(strings.TrimPrefix(string(data), "\ufeff"))) {
		p.line++
		if err := p.next(line); err != nil {
			return nil, err
		}
	}
	switch {
	case p.where != bothParts:
		return nil, fail(p.start, "the conflict that begins here never ends")
	case p.first == 0:
		return nil, &ParseError{Err: ErrNoConflict}
	}
	c := &Conflict{
		Line: p.first, OursName: p.oursName, TheirsName: p.theirsName,
		Ours: []byte(p.ours.String()), Theirs: []byte(p.theirs.String()),
	}
	if p.bases == p.conflicts {
		c.Base = []byte(p.base.String())
	}
	return c, nil
}

// conflictPart is the version to which the lines being read belong.
type conflictPart byte

const (
	bothParts conflictPart = iota
	oursPart
	basePart
	theirsPart
)

type conflictParser struct {
	line, start, first   int // now, of the conflict being read, of the first one
	size                 int // of the markers of the conflict being read
	where                conflictPart
	conflicts, bases     int // how many there are, and how many name their base
	ours, theirs, base   strings.Builder
	oursName, theirsName string
}

// turns are the markers within a conflict, by the part that each ends and the one it begins.
var turns = []struct {
	mark     byte
	from, to conflictPart
}{
	{'|', oursPart, basePart},
	{'=', oursPart, theirsPart},
	{'=', basePart, theirsPart},
	{'>', theirsPart, bothParts},
}

func (p *conflictParser) next(line string) error {
	mark, size, label := marker(line)
	if mark == '<' {
		return p.open(line, size, label)
	}
	if mark == 0 || p.where == bothParts || size != p.size {
		p.keep(line) // in the base, longer markers are those of a merge before
		return nil
	}
	return p.turn(mark, label)
}

// turn goes on with another part of a conflict.
func (p *conflictParser) turn(mark byte, label string) error {
	for _, t := range turns {
		if t.mark == mark && t.from == p.where {
			p.where = t.to
			switch t.to {
			case basePart:
				p.bases++
			case bothParts:
				p.theirsName = cmp.Or(p.theirsName, label)
			}
			return nil
		}
	}
	return fail(p.line, "a conflict marker out of its order: the sides cannot be told apart")
}

// open begins a conflict, or keeps a marker of another merge in the base of one.
func (p *conflictParser) open(line string, size int, label string) error {
	if p.where == basePart && size != p.size {
		p.keep(line)
		return nil
	}
	if p.where != bothParts {
		return at(p.line, ErrNested)
	}
	p.conflicts++
	p.where, p.start, p.size = oursPart, p.line, size
	if p.first == 0 {
		p.first, p.oursName = p.line, label
	}
	return nil
}

// keep adds a line to the versions that it belongs to.
func (p *conflictParser) keep(line string) {
	all := []struct {
		part conflictPart
		to   *strings.Builder
	}{{oursPart, &p.ours}, {theirsPart, &p.theirs}, {basePart, &p.base}}
	for _, version := range all {
		if p.where == bothParts || p.where == version.part {
			version.to.WriteString(line)
		}
	}
}

// conflictMark matches a conflict marker: its run, and what git wrote behind it. The
// attribute conflict-marker-size and merges of merges make longer ones.
var conflictMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(<{7,}|\|{7,}|>{7,})(?: (.*))?|(={7,}))$`)
})

// marker reads a line as a conflict marker: the character of "<|=>" that it
// consists of, or 0, its length, and the text that git wrote behind it.
func marker(line string) (mark byte, size int, label string) {
	m := conflictMark().FindStringSubmatch(strings.TrimRight(line, "\r\n"))
	if m == nil {
		return 0, 0, ""
	}
	run := m[1] + m[3]
	return run[0], len(run), strings.TrimSpace(m[2])
}
