package memory

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of a memory file, checked before anything is parsed. See FORMAT.md,
// "Limits".
const (
	MaxFile        = 1 << 20  // bytes of a whole file
	MaxFrontmatter = 16 << 10 // bytes between the fences
	MaxTitle       = 400      // bytes of the title, and of a tag or any other one value
	MaxList        = 256      // items in any one list
)

// ErrNotMemory is the cause of a [ParseError] for a file without frontmatter.
var ErrNotMemory = errors.New("no frontmatter: the first line must be ---")

// ParseError says where and why a file is not a memory. Line is 1-based; 0
// means the file as a whole.
type ParseError struct {
	Path string
	Line int
	Err  error
}

func (e *ParseError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err)
}

func (e *ParseError) Unwrap() error { return e.Err }

// Parse reads one memory file. The path only names the file in errors, each of
// which is a [*ParseError]. A byte order mark and CRLF line ends are accepted
// and normalised away; data is not modified or kept.
func Parse(path string, data []byte) (*Memory, error) {
	return new(Parser).Parse(path, string(data))
}

// Parser parses many files one after the other, each in the memory that the one before
// it took. The zero value is ready. It is for one goroutine.
type Parser struct {
	memory  Memory
	entries []entry
	nodes   []node
	lines   []string
}

// Parse is the function of that name. Texts of the memory that it returns are cut from
// file, and the memory is there until the next call.
func (p *Parser) Parse(path, file string) (*Memory, error) {
	m, err := p.parse(file)
	if err != nil {
		pe := at(0, err)
		pe.Path = path
		return nil, pe
	}
	return m, nil
}

func (p *Parser) parse(file string) (*Memory, error) {
	if len(file) > MaxFile {
		return nil, fail(0, "%d bytes is over the limit of %d for one memory", len(file), MaxFile)
	}
	file = unixLines(strings.TrimPrefix(file, "\ufeff"))
	if line := conflictLine(file); line > 0 {
		return nil, fail(line, "unresolved merge conflict: keep one side, or both as two files, "+
			"and remove the markers (indent them if they are text)")
	}
	head, body, entries, err := p.readHead(file)
	if err != nil {
		return nil, err
	}
	p.memory = Memory{Confidence: 1}
	p.lines = slices.AppendSeq(slices.Grow(p.lines[:0], 16), strings.Lines(head))
	r := reader{lines: p.lines, m: &p.memory}
	if err := r.read(entries); err != nil {
		return nil, err
	}
	r.m.Text = trimBody(body)
	if opensWithHead(r.m.Text) {
		return nil, fail(len(r.lines)+2, "a second frontmatter block: one file holds one memory")
	}
	return r.m, nil
}

// readHead splits a file into the frontmatter between the fences and the body
// behind them, and returns the keys and values of the frontmatter. Almost every
// file is canonical and is read without the YAML parser, which is several times
// slower; FuzzCanonical checks that both read the same.
func (p *Parser) readHead(file string) (head, body string, entries []entry, err error) {
	head, body, canonical := cutCanonical(file)
	if !canonical {
		if head, body, err = cutFences(file); err != nil {
			return "", "", nil, err
		}
	}
	if err := checkHead(head); err != nil {
		return "", "", nil, err
	}
	if canonical {
		if entries, ok := p.readCanonical(head); ok {
			return head, body, entries, nil
		}
		// The YAML library may see another end of the frontmatter.
		if head, body, err = cutFences(file); err != nil {
			return "", "", nil, err
		}
	}
	entries, err = readYAML(head)
	return head, body, entries, err
}

// checkHead checks the frontmatter before any parser reads it.
func checkHead(head string) error {
	if len(head) > MaxFrontmatter {
		return fail(1, "%d bytes of frontmatter is over the limit of %d", len(head), MaxFrontmatter)
	}
	if !utf8.ValidString(head) {
		valid := strings.ToValidUTF8(head, "\xff") // only to find the line
		line := 2 + strings.Count(valid[:strings.IndexByte(valid, 0xff)], "\n")
		return fail(line, "the frontmatter is not valid UTF-8")
	}
	// YAML 1.1 breaks lines at these and editors do not.
	for _, c := range "\r\u0085\u2028\u2029" {
		if i := strings.IndexRune(head, c); i >= 0 {
			line := 2 + strings.Count(head[:i], "\n")
			return fail(line, "%U in the frontmatter: write it in double quotes as \\u%04x", c, c)
		}
	}
	return nil
}

// fail returns an error about a line of the file.
func fail(line int, format string, args ...any) *ParseError {
	return &ParseError{Line: line, Err: fmt.Errorf(format, args...)}
}

// at returns err with a line, unless it has one.
func at(line int, err error) *ParseError {
	var pe *ParseError
	if errors.As(err, &pe) {
		return pe
	}
	return &ParseError{Line: line, Err: err}
}

// in returns err with the key that it is about, and with a line unless it has
// one.
func in(key string, line int, err error) *ParseError {
	pe := at(line, err)
	return &ParseError{Line: pe.Line, Err: fmt.Errorf("%s: %w", key, pe.Err)}
}
