package memory

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// reader fills a memory from the entries of the frontmatter.
type reader struct {
	lines []string // the frontmatter, each line with its "\n"
	m     *Memory
}

func (r *reader) read(entries []entry) error {
	if len(entries) > 0 {
		r.m.Unknown = comments(r.lines[:entries[0].line-2])
	}
	fields := Fields()
	known := make([]bool, len(fields)) // which of them is there
	unknown := map[string]bool{}
	next := 0 // index in fields of the next key, if they are in canonical order
	for i, e := range entries {
		at := findField(fields, e.key, next)
		if unknown[e.key] || at >= 0 && known[at] {
			return fail(e.line, "key %q is there twice", e.key)
		}
		end := len(r.lines)
		if i+1 < len(entries) {
			end = entries[i+1].line - 2
		}
		lines := r.lines[e.line-2 : end]
		if at < 0 {
			unknown[e.key] = true
			r.m.Unknown += strings.Join(lines, "")
			continue
		}
		known[at], next = true, at+1
		if err := fields[at].read(r.m, e.value); err != nil {
			return in(e.key, e.value.line, err)
		}
		r.keepComments(e, lines[1:])
	}
	return r.complete(fields, known)
}

// complete fills in what follows from other keys, once all are read. Its error names a key
// that is missing.
func (r *reader) complete(fields []Field, known []bool) error {
	for i := range fields {
		if fields[i].required && !known[i] {
			return fail(1, "the key %q is missing", fields[i].Key)
		}
	}
	r.m.Priority = cmp.Or(r.m.Priority, r.m.Type.Priority())
	return nil
}

// findField returns the index of a key, or -1 for a key of another version or
// tool. It begins to search at start, which is the index if the keys are in
// canonical order.
func findField(fields []Field, key string, start int) int {
	for i := range fields {
		if at := (start + i) % len(fields); fields[at].Key == key {
			return at
		}
	}
	return -1
}

// keepComments stores the comment lines below a known key, which [Format] cannot derive. In
// a quoted value, a line that begins with # may be text.
func (r *reader) keepComments(e entry, below []string) {
	if e.value.quoted {
		below = slices.DeleteFunc(slices.Clone(below), func(l string) bool {
			return strings.Contains(e.value.value, strings.TrimSpace(l))
		})
	}
	r.m.Unknown += comments(below)
}

func comments(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		if strings.HasPrefix(l, "#") {
			b.WriteString(l)
		}
	}
	return b.String()
}

func parseLink(v node) (l Link, err error) {
	l.Rel, l.To, err = parsePair(v, "a link", "rel", ParseRel, "to", ParseID)
	return l, err
}

func parseAnchor(v node) (a Anchor, err error) {
	a.Path, a.Blob, err = parsePair(v, "an anchor", "path", parsePath, "blob", parseHex)
	return a, err
}

// parsePair reads a table of two keys, both of which have to be there.
func parsePair[A, B ~string](v node, what, keyA string, parseA func(string) (A, error), keyB string,
	parseB func(string) (B, error),
) (a A, b B, err error) {
	err = parseTable(v, func(key string, v node) (err error) {
		switch key {
		case keyA:
			a, err = parseScalar(v, parseA)
		case keyB:
			b, err = parseScalar(v, parseB)
		default:
			err = fmt.Errorf("unknown key in %s (%s and %s)", what, keyA, keyB)
		}
		return err
	})
	if err == nil && (a == "" || b == "") {
		err = fmt.Errorf("%s needs %s and %s", what, keyA, keyB)
	}
	return a, b, err
}

func parseTable(v node, do func(key string, v node) error) error {
	if v.kind != table {
		return errors.New("a {key: value} is needed")
	}
	for i := 0; i+1 < len(v.items); i += 2 {
		key, value := v.items[i], v.items[i+1]
		for j := 0; j < i; j += 2 {
			if v.items[j].value == key.value {
				return fail(key.line, "key %q is there twice", key.value)
			}
		}
		if err := do(key.value, value); err != nil {
			return in(key.value, value.line, err)
		}
	}
	return nil
}

// parseList reads a list and drops repeated items.
func parseList[T comparable](v node, parse func(node) (T, error)) ([]T, error) {
	if v.empty() || v.kind == list && len(v.items) == 0 {
		return nil, nil
	}
	if v.kind != list {
		return nil, errors.New("a list [a, b] is needed")
	}
	if len(v.items) > MaxList {
		return nil, fmt.Errorf("%d items is over the limit of %d", len(v.items), MaxList)
	}
	out := make([]T, 0, len(v.items))
	for _, n := range v.items {
		item, err := parse(n)
		if err != nil {
			return nil, at(n.line, err)
		}
		out = append(out, item)
	}
	return unique(out), nil
}

func parseOptional[T any](to *T, v node, parse func(string) (T, error)) (err error) {
	if !v.empty() {
		*to, err = parseScalar(v, parse)
	}
	return err
}

func parseScalar[T any](v node, parse func(string) (T, error)) (T, error) {
	var zero T
	if v.kind != scalar {
		return zero, errors.New("one value is needed, not a list")
	}
	return parse(v.value)
}

func scalarOf[T any](parse func(string) (T, error)) func(node) (T, error) {
	return func(v node) (T, error) { return parseScalar(v, parse) }
}
