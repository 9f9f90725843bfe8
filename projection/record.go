package projection

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"github.com/git-cortex/cortex/memory"
)

// textLimit bounds the text of a record, in bytes. Beyond it merging a page
// by its records may differ from a fresh render of the merged memories.
const textLimit = 8 << 10

// recordJSON is how a record stands in its file. The keys are those of a
// memory file; what a page does not show is left out.
type recordJSON struct {
	Type       memory.Type `json:"type"`
	Title      string      `json:"title,omitempty"`
	Created    string      `json:"created"`
	Updated    string      `json:"updated,omitempty"`
	Confidence float64     `json:"confidence,omitempty"`
	Pinned     bool        `json:"pinned,omitempty"`
	Contested  bool        `json:"contested,omitempty"`
	Files      []string    `json:"files,omitempty"`
	Links      []linkJSON  `json:"links,omitempty"`
	Source     *sourceJSON `json:"source,omitempty"`
	Text       string      `json:"text,omitempty"`
}

type linkJSON struct {
	Rel memory.Rel `json:"rel"`
	To  memory.ID  `json:"to"`
}

type sourceJSON struct {
	Agent   string `json:"agent,omitempty"`
	Session string `json:"session,omitempty"`
	Layer   string `json:"layer,omitempty"`
	Branch  string `json:"branch,omitempty"`
	Commit  string `json:"commit,omitempty"`
	Record  int    `json:"record,omitempty"`
	Ref     string `json:"ref,omitempty"`
}

// own reports whether m is of the types that the page shows.
func (k Kind) own(m *memory.Memory) bool {
	if k == Plan {
		return m.Type == memory.Plan || m.Type == memory.Progress
	}
	return isDecision(m)
}

// concerns reports whether m has a record on the page. It depends on m alone,
// so that both sides of a merge agree: memories of the page's types, and
// whatever supersedes others, since that decides what is shown.
func (k Kind) concerns(m *memory.Memory) bool {
	return k.own(m) || len(m.Linked(memory.Supersedes)) > 0
}

func isDecision(m *memory.Memory) bool {
	return m.Type == memory.Decision || m.Type == memory.Rejected
}

// reduce keeps the fields of m that the page is rendered from. Each field is
// taken or left as a whole, so that reducing and merging commute. A memory of
// another type is only there for its links: were more of it kept, the record
// that a new link makes could not be merged with an edit on the other side,
// where the memory has none.
func (k Kind) reduce(m *memory.Memory) *memory.Memory {
	r := &memory.Memory{ID: m.ID, Type: m.Type, Created: m.Created.UTC().Truncate(time.Second)}
	if !k.own(m) {
		r.Links = keepLinks(m.Links, memory.Supersedes)
		return r
	}
	r.Title, r.Source, r.Pinned = memory.OneLine(valid(m.Title)), validSource(m.Source), m.Pinned
	if !m.Updated.IsZero() {
		r.Updated = m.Updated.UTC().Truncate(time.Second)
	}
	switch k {
	case Decisions:
		r.Links = keepLinks(m.Links, memory.Supersedes, memory.Contradicts)
		r.Confidence, r.Contested, r.Text = m.Confidence, m.Contested, limitText(m.Text)
		for _, f := range m.Files {
			r.Files = append(r.Files, valid(f))
		}
	case Plan:
		r.Links = keepLinks(m.Links, memory.Supersedes, memory.StepOf)
		if m.Type == memory.Plan { // a step shows its title only
			r.Confidence, r.Contested, r.Text = m.Confidence, m.Contested, limitText(m.Text)
		}
	default:
		r.Links = keepLinks(m.Links, memory.Supersedes)
	}
	return r
}

func keepLinks(links []memory.Link, rels ...memory.Rel) []memory.Link {
	var out []memory.Link
	for _, l := range links {
		if slices.Contains(rels, l.Rel) && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(a, b memory.Link) int {
		return cmp.Or(cmp.Compare(a.Rel, b.Rel), cmp.Compare(a.To, b.To))
	})
	return out
}

// valid replaces what is not UTF-8, as encoding it as JSON would.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func validSource(s memory.Source) memory.Source {
	for _, field := range []*string{&s.Agent, &s.Session, &s.Layer, &s.Branch, &s.Commit, &s.Ref} {
		*field = valid(*field)
	}
	return s
}

func limitText(s string) string {
	s = valid(s)
	if len(s) <= textLimit {
		return s
	}
	end := strings.LastIndexAny(s[:textLimit], " \n")
	if end < textLimit/2 {
		for end = textLimit; end > 0 && s[end]&0xc0 == 0x80; end-- {
		}
	}
	return strings.TrimRight(s[:end], " \n") + " …"
}

// records picks and reduces the memories that concern the page: one for each
// id, newest first.
func (k Kind) records(memories []*memory.Memory) []*memory.Memory {
	byID := make(map[memory.ID]*memory.Memory, len(memories))
	for _, m := range memories {
		if m == nil || !k.concerns(m) {
			continue
		}
		r := k.reduce(m)
		if have, ok := byID[r.ID]; !ok || laterRecord(have, r) {
			byID[r.ID] = r
		}
	}
	return slices.SortedFunc(maps.Values(byID), newestFirst)
}

// laterRecord reports whether b is the version to keep of two with one id.
func laterRecord(a, b *memory.Memory) bool {
	if !a.Updated.Equal(b.Updated) {
		return b.Updated.After(a.Updated)
	}
	return bytes.Compare(encodeRecord(a), encodeRecord(b)) < 0
}

func newestFirst(a, b *memory.Memory) int {
	return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID))
}

// encodeRecord is the line that carries r, without its line break. JSON
// escapes "<" and ">", so that no text can end the comment; characters that
// cannot be seen are escaped too.
func encodeRecord(r *memory.Memory) []byte {
	j := recordJSON{
		Type: r.Type, Title: r.Title, Created: r.Created.Format(time.RFC3339), Confidence: r.Confidence,
		Pinned: r.Pinned, Contested: r.Contested, Files: r.Files, Text: r.Text,
	}
	if !r.Updated.IsZero() {
		j.Updated = r.Updated.Format(time.RFC3339)
	}
	for _, l := range r.Links {
		j.Links = append(j.Links, linkJSON(l))
	}
	if s := sourceJSON(r.Source); s != (sourceJSON{}) {
		j.Source = &s
	}
	data, err := json.Marshal(j)
	if err != nil {
		panic("projection: a record that is not JSON: " + err.Error()) // strings, numbers and lists only
	}
	line := make([]byte, 0, len(data)+64)
	line = append(line, recordOpen...)
	line = append(line, r.ID...)
	line = append(line, ' ')
	line = appendVisible(line, data)
	return append(line, commentClose...)
}

// appendVisible appends JSON with every invisible character written as \uXXXX.
func appendVisible(dst, data []byte) []byte {
	for _, r := range string(data) {
		switch {
		case r < 0x7f:
			dst = append(dst, byte(r))
		case unicode.IsGraphic(r) && !unicode.Is(unicode.Zs, r) && !unicode.Is(unicode.Variation_Selector, r):
			dst = append(dst, string(r)...)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			dst = fmt.Appendf(dst, `\u%04x\u%04x`, hi, lo)
		default:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		}
	}
	return dst
}

// decodeRecord reads what follows recordOpen in a line. On an error the id is
// still returned when it could be read.
func decodeRecord(line string) (memory.ID, *memory.Memory, error) {
	word, rest, _ := strings.Cut(line, " ")
	id, err := memory.ParseID(word)
	if err != nil {
		return "", nil, fmt.Errorf("reading a record: %w", err)
	}
	body, closed := strings.CutSuffix(rest, commentClose)
	if !closed {
		return id, nil, fmt.Errorf("record %s is cut short", id.Short())
	}
	var j recordJSON
	if err := json.Unmarshal([]byte(body), &j); err != nil {
		return id, nil, fmt.Errorf("reading record %s: %w", id.Short(), err)
	}
	r, err := j.memory(id)
	if err != nil {
		return id, nil, fmt.Errorf("reading record %s: %w", id.Short(), err)
	}
	return id, r, nil
}

func (j recordJSON) memory(id memory.ID) (*memory.Memory, error) {
	if !j.Type.Valid() {
		return nil, fmt.Errorf("unknown memory type %q", j.Type)
	}
	if !(j.Confidence >= 0 && j.Confidence <= 1) {
		return nil, fmt.Errorf("confidence %v is not within 0 and 1", j.Confidence)
	}
	r := &memory.Memory{
		ID: id, Type: j.Type, Title: memory.OneLine(j.Title), Confidence: j.Confidence,
		Pinned: j.Pinned, Contested: j.Contested, Files: j.Files, Text: limitText(j.Text),
	}
	var err error
	if r.Created, err = time.Parse(time.RFC3339, j.Created); err != nil {
		return nil, fmt.Errorf("created is not a time: %w", err)
	}
	r.Created = r.Created.UTC()
	if j.Updated != "" {
		if r.Updated, err = time.Parse(time.RFC3339, j.Updated); err != nil {
			return nil, fmt.Errorf("updated is not a time: %w", err)
		}
		r.Updated = r.Updated.UTC()
	}
	for _, l := range j.Links {
		rel, err := memory.ParseRel(string(l.Rel))
		if err != nil {
			return nil, err
		}
		to, err := memory.ParseID(string(l.To))
		if err != nil {
			return nil, err
		}
		r.Links = append(r.Links, memory.Link{Rel: rel, To: to})
	}
	if j.Source != nil {
		r.Source = memory.Source(*j.Source)
	}
	return r, nil
}
