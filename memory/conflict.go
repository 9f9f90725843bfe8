package memory

import (
	"bytes"
	"cmp"
	"errors"
	"strings"
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
	p.based = true
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
	if p.based {
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
	hasBase, based       bool // this conflict names its base; all have so far
	ours, theirs, base   strings.Builder
	oursName, theirsName string
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
	switch {
	case mark == '|' && p.where == oursPart:
		p.where, p.hasBase = basePart, true
	case mark == '=' && p.where != theirsPart:
		p.where, p.based = theirsPart, p.based && p.hasBase
	case mark == '>' && p.where == theirsPart:
		p.where = bothParts
		p.theirsName = cmp.Or(p.theirsName, label)
	default:
		return fail(p.line, "a conflict marker out of its order: the sides cannot be told apart")
	}
	return nil
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
	p.where, p.start, p.size, p.hasBase = oursPart, p.line, size, false
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

// markerSize is the shortest length of a conflict marker. The attribute
// conflict-marker-size and merges of merges make longer ones.
const markerSize = len(conflictStart)

// marker reads a line as a conflict marker: the character of "<|=>" that it
// consists of, or 0, its length, and the text that git wrote behind it.
func marker(line string) (mark byte, size int, label string) {
	line = strings.TrimRight(line, "\r\n")
	if len(line) < markerSize || strings.IndexByte("<|=>", line[0]) < 0 {
		return 0, 0, ""
	}
	rest := strings.TrimLeft(line, line[:1])
	size = len(line) - len(rest)
	named := line[0] != '=' && strings.HasPrefix(rest, " ")
	if size < markerSize || rest != "" && !named {
		return 0, 0, ""
	}
	return line[0], size, strings.TrimSpace(rest)
}
