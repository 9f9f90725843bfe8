package projection

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// FormatError is the reason why a text is not a sound page.
type FormatError struct {
	Kind Kind
	Line int // 1-based; 0 for the text as a whole
	Err  error
}

func (e *FormatError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Kind.File(), e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.Kind.File(), e.Line, e.Err)
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// version is one text of a page: its records by id, of which a union merge may
// have left several for one id, and the damage that was found.
type version struct {
	records  map[memory.ID][]*record
	names    []string          // of memory files, whose records are not among them yet
	within   bool              // the line is one of those that name files
	damaged  map[memory.ID]int // ids that are named but have no record, by line
	problem  *FormatError      // the first line that cannot be read
	template string            // the least of those in the text; "" for none
	complete bool              // there is an end marker: a record that is absent was removed
}

// readVersion reads a text. A blank one gives nil and no error.
func readVersion(kind Kind, data []byte) (*version, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil
	}
	v := &version{records: map[memory.ID][]*record{}, damaged: map[memory.ID]int{}}
	headed, n := false, 0
	for raw := range bytes.Lines(data) {
		n++
		line := string(bytes.TrimSpace(raw))
		if rest, ok := strings.CutPrefix(line, pageOpen); ok {
			if err := checkHeader(kind, rest); err != nil {
				return nil, &FormatError{kind, n, err}
			}
			headed = true
			continue
		}
		if strings.HasPrefix(line, pageEnd) && strings.HasSuffix(line, commentClose) {
			v.complete, v.within = true, false
			continue
		}
		v.read(kind, line, n)
	}
	if !headed && len(v.records)+len(v.names) == 0 {
		return nil, &FormatError{kind, 0, errors.New("not a page that cortex wrote")}
	}
	v.forgiveFound()
	return v, nil
}

func checkHeader(kind Kind, rest string) error {
	name, number, _ := strings.Cut(strings.TrimSuffix(rest, commentClose), " ")
	if name != string(kind) {
		return fmt.Errorf("this is the page %q", name)
	}
	if n, err := strconv.Atoi(number); err != nil || n != Version {
		return fmt.Errorf("format version %q is not known (this cortex knows %d)", number, Version)
	}
	return nil
}

// maxNamed is how many memory files a page may name: whoever wrote it has each of them read.
const maxNamed = 1 << 18

// read reads the records in one line. Quoted lines are the text of memories and
// are ignored.
func (v *version) read(kind Kind, line string, n int) {
	switch {
	case line == filesOpen:
		v.within = true
	case v.within:
		v.readNames(kind, line, n)
	case strings.HasPrefix(line, ">"):
	case strings.HasPrefix(line, layoutOpen):
		v.readLayout(strings.TrimPrefix(line, layoutOpen))
	default:
		v.readMark(line, n)
	}
}

// readLayout reads a template. One that is damaged is none.
func (v *version) readLayout(rest string) {
	template, err := decodeLayout(rest)
	if err != nil {
		return
	}
	if v.template == "" || template < v.template {
		v.template = template
	}
}

// readMark notes a memory that is shown in a line.
func (v *version) readMark(line string, n int) {
	i := strings.LastIndex(line, memoryOpen)
	if i < 0 {
		return
	}
	if id, err := memory.ParseID(strings.TrimSuffix(line[i+len(memoryOpen):], commentClose)); err == nil {
		v.note(id, n)
	}
}

// blame notes the first problem of the text.
func (v *version) blame(kind Kind, line int, err error) {
	if v.problem == nil {
		v.problem = &FormatError{kind, line, err}
	}
}

func (v *version) note(id memory.ID, line int) {
	if _, ok := v.damaged[id]; !ok {
		v.damaged[id] = line
	}
}

// readNames reads a line between filesOpen and filesClose.
func (v *version) readNames(kind Kind, line string, n int) {
	if line == filesClose {
		v.within = false
		return
	}
	if line == "" || isConflictMark(line) {
		return
	}
	var err error
	if strings.Contains(line, " ") {
		err = v.readLinks(kind, line)
	} else {
		err = v.nameFiles(line)
	}
	if err != nil {
		v.blame(kind, n, err)
	}
}

// isConflictMark reports whether git wrote a line between the sides of a conflict.
func isConflictMark(line string) bool {
	return len(line) >= 7 && strings.IndexByte("<|=>", line[0]) >= 0 && strings.Trim(line[:7], line[:1]) == ""
}

// readLinks reads a line of links.
func (v *version) readLinks(kind Kind, line string) error {
	r, err := decodeLinks(line)
	if err == nil && kind.concerns(r) {
		v.add(&record{Memory: kind.reduce(r)})
	}
	return err
}

// nameFiles reads a line of names.
func (v *version) nameFiles(line string) error {
	names, err := decodeNames(line)
	if err != nil {
		return err
	}
	if len(v.names)+len(names) > maxNamed {
		return fmt.Errorf("it names more than %d memory files", maxNamed)
	}
	v.names = append(v.names, names...)
	return nil
}

func (v *version) add(r *record) {
	have := v.records[r.ID]
	if len(have) <= maxVersions && !slices.ContainsFunc(have, r.same) {
		v.records[r.ID] = append(have, r)
	}
}
