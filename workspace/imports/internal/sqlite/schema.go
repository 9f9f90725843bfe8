package sqlite

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// table is a table as its CREATE TABLE declares it.
type table struct {
	root    uint32
	columns []column
	keyed   bool   // a PRIMARY KEY of the whole table was read
	why     string // it cannot be read; "" when it can
	lost    bool   // it began on a page that the file does not have
}

// column is one column, in the order of the values.
type column struct {
	name    string // in lower case
	integer bool   // its type is INTEGER and no more: as the primary key it is the row's id
	id      bool   // another name of the row's id: it is not stored
	without any    // the value in rows that are older than the column
}

// row puts values to their columns.
func (t *table) row(id int64, values []any) Row {
	r := Row{ID: id, values: make(map[string]any, len(t.columns))}
	for i, c := range t.columns {
		switch {
		case c.id:
			r.values[c.name] = id
		case i < len(values):
			r.values[c.name] = values[i]
		default:
			r.values[c.name] = c.without
		}
	}
	return r
}

// readSchema reads the table of tables, which begins on page 1.
func (d *DB) readSchema() error {
	d.tables = map[string]*table{}
	w := walk{db: d, seen: map[uint32]bool{}}
	_, err := w.tree(1, 0, func(_ int64, record []byte) (bool, error) {
		values, err := d.record(record)
		if err != nil {
			return false, err
		}
		if len(values) < 5 {
			return false, fmt.Errorf("%w: a row of the schema has %d values", ErrCorrupt, len(values))
		}
		kind, _ := values[0].(string)
		name, _ := values[1].(string)
		root, _ := values[3].(int64)
		sql, _ := values[4].(string)
		if kind == "table" && name != "" {
			t := parseTable(sql)
			if t.root = uint32(root); root <= 0 {
				t.why = "a virtual table"
			} else if root > int64(d.pages) {
				t.lost = true
			}
			d.tables[strings.ToLower(name)] = t
			d.names = append(d.names, name)
		}
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("reading the schema: %w", err)
	}
	return nil
}

// parseTable reads the columns of a CREATE TABLE. Of what it does not know it takes only
// the first word of each part, the column's name.
func parseTable(sql string) *table {
	t := &table{}
	tokens := tokensOf(sql)
	open := 0
	for open < len(tokens) && !tokens[open].is("(") {
		if tokens[open].is("virtual") {
			t.why = "a virtual table"
			return t
		}
		open++
	}
	if open == len(tokens) {
		t.why = "a table without columns"
		return t
	}
	var part []token
	depth, at := 1, open+1
	for ; at < len(tokens) && depth > 0; at++ {
		switch {
		case tokens[at].is("("):
			depth++
		case tokens[at].is(")"):
			depth--
		}
		if depth == 0 || depth == 1 && tokens[at].is(",") {
			t.add(part)
			part = nil
			continue
		}
		part = append(part, tokens[at])
	}
	for ; at+1 < len(tokens); at++ {
		if tokens[at].is("without") && tokens[at+1].is("rowid") {
			t.why = "a table without row ids"
		}
	}
	if len(t.columns) > maxColumns {
		t.why = "a table of too many columns"
	}
	return t
}

// add takes one part between commas: a column, or a constraint of the whole table.
func (t *table) add(part []token) {
	if len(part) > 2 && part[0].is("constraint") {
		part = part[2:] // without its name
	}
	switch {
	case len(part) == 0 || part[0].is("constraint") || part[0].is("unique") || part[0].is("check") || part[0].is("foreign"):
		return
	case part[0].is("primary"):
		t.key(part)
		return
	}
	c := column{name: strings.ToLower(part[0].text)}
	c.integer = len(part) > 1 && strings.EqualFold(part[1].text, "integer") && (len(part) == 2 || endsType(part[2]))
	depth, stored, generated := 0, false, false
	for i, p := range part {
		switch {
		case p.is("("):
			depth++
		case p.is(")"):
			depth--
		case depth > 0 || i == 0:
		case p.is("primary") && c.integer:
			c.id = !(i+2 < len(part) && part[i+2].is("desc"))
		case p.is("default") && i+1 < len(part):
			c.without = literal(part[i+1:])
		case p.is("as"):
			generated = true
		case p.is("stored"):
			stored = true
		}
	}
	if !generated || stored {
		t.columns = append(t.columns, c)
	}
}

// key takes the PRIMARY KEY of a table. One INTEGER column alone is the row's id.
func (t *table) key(part []token) {
	end := slices.IndexFunc(part, func(p token) bool { return p.is(")") })
	if t.keyed || end < 4 || slices.ContainsFunc(part[:end], func(p token) bool { return p.is(",") }) {
		return
	}
	t.keyed = true
	for i := range t.columns {
		if c := &t.columns[i]; c.integer && c.name == strings.ToLower(part[3].text) {
			c.id = true
		}
	}
}

// endsType reports whether a token of a column stands behind its type.
func endsType(t token) bool {
	return slices.ContainsFunc([]string{"constraint", "primary", "not", "null", "unique", "check", "default", "collate", "references", "generated", "as"}, t.is)
}

// literal is the value of a default, of which expressions count as NULL.
func literal(part []token) any {
	sign, first := int64(1), part[0]
	if (first.is("-") || first.is("+")) && len(part) > 1 {
		if first.is("-") {
			sign = -1
		}
		first = part[1]
	}
	switch {
	case first.quoted:
		return first.text
	case first.is("true"):
		return int64(1)
	case first.is("false"):
		return int64(0)
	}
	if x, err := strconv.ParseInt(first.text, 10, 64); err == nil {
		return sign * x
	}
	if x, err := strconv.ParseFloat(first.text, 64); err == nil {
		return float64(sign) * x
	}
	return nil
}

// token is a word, a quoted name or text, or a sign of SQL.
type token struct {
	text   string
	quoted bool
}

// is reports whether a token is a word of SQL or a sign: one that is quoted is neither.
func (t token) is(word string) bool { return !t.quoted && strings.EqualFold(t.text, word) }

// tokensOf cuts SQL into tokens, without comments.
func tokensOf(sql string) (out []token) {
	for i := 0; i < len(sql); {
		rest := sql[i:]
		switch c := sql[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			i++
		case strings.HasPrefix(rest, "--"):
			i += end(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			i += end(rest, "*/")
		case c == '\'' || c == '"' || c == '`' || c == '[':
			text, n := quoted(rest)
			out = append(out, token{text, true})
			i += n
		case word(c):
			n := 1
			for n < len(rest) && word(rest[n]) {
				n++
			}
			out = append(out, token{rest[:n], false})
			i += n
		default:
			out = append(out, token{rest[:1], false})
			i++
		}
	}
	return out
}

func word(c byte) bool {
	return c == '_' || c == '$' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// end is where what begins at text is over: behind stop, or at the end.
func end(text, stop string) int {
	if at := strings.Index(text, stop); at >= 0 {
		return at + len(stop)
	}
	return len(text)
}

// quoted reads a quoted name or text; the mark stands for itself when it is doubled.
func quoted(text string) (inner string, n int) {
	mark := text[0]
	if mark == '[' {
		n = end(text, "]")
		return strings.TrimSuffix(text[1:n], "]"), n
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		if text[i] != mark {
			b.WriteByte(text[i])
			continue
		}
		if i+1 < len(text) && text[i+1] == mark {
			i++
			b.WriteByte(mark)
			continue
		}
		return b.String(), i + 1
	}
	return b.String(), len(text)
}
