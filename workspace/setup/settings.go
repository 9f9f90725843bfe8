package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
)

// jsonNode is a value of a JSON text with the bytes it stands on, so that the
// text can be edited around it without being rewritten.
type jsonNode struct {
	start, end int
	kind       byte // '{', '[' or 0 for a scalar
	text       string
	members    []jsonMember // of an object
	elements   []jsonNode   // of an array
}

type jsonMember struct {
	key   string
	start int // of the key
	value jsonNode
}

// index is the place of a key among the members, -1 where it is none.
func (n jsonNode) index(key string) int {
	return slices.IndexFunc(n.members, func(m jsonMember) bool { return m.key == key })
}

func (n jsonNode) member(key string) (jsonMember, bool) {
	i := n.index(key)
	if i < 0 {
		return jsonMember{}, false
	}
	return n.members[i], true
}

// plainJSON returns data with spaces, as many as there are bytes, in place of a
// byte order mark, comments, and commas after the last item: what agents and
// editors allow in settings, and JSON does not.
func plainJSON(data []byte) []byte {
	out := bytes.Clone(data)
	comma := -1   // a comma after which nothing has come yet
	item := false // a value, or the end of one, stands before
	for _, at := range jsonToken().FindAllSubmatchIndex(data, -1) {
		switch token := string(data[at[0]:at[1]]); {
		case at[2] >= 0: // it is none of JSON
			blank(out[at[0]:at[1]])
		case token == "," && item:
			comma, item = at[0], false
		case comma >= 0 && strings.Contains("]}", token):
			out[comma] = ' '
			comma, item = -1, true
		default:
			comma, item = -1, !strings.Contains("[{,", token)
		}
	}
	return out
}

// jsonToken finds a byte order mark and comments, which are in its group; texts; and every other
// character that is no white space.
var jsonToken = lazy.Pattern(`(?s)(^\x{feff}|//[^\n]*|/\*.*?(?:\*/|$))|"(?:[^"\\]|\\.)*"?|\S`)

// blank puts spaces in place of all but the ends of lines.
func blank(data []byte) {
	for i, c := range data {
		if !strings.ContainsRune("\n\r", rune(c)) {
			data[i] = ' '
		}
	}
}

// parseJSON reads data into nodes. It is as strict as encoding/json, and names the line
// of what is wrong.
func parseJSON(data []byte) (jsonNode, error) {
	if !json.Valid(data) {
		var v any
		err := json.Unmarshal(data, &v)
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			err = fmt.Errorf("line %d: %w", 1+bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n")), err)
		}
		return jsonNode{}, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	root, err := parseValue(dec, data)
	if err == nil {
		if _, e := dec.Token(); !errors.Is(e, io.EOF) {
			err = errors.New("more than one JSON value")
		}
	}
	return root, err
}

// parseSettings reads settings of an agent, which hold an object and may have comments.
func parseSettings(data []byte) (jsonNode, error) {
	root, err := parseJSON(plainJSON(data))
	if err == nil && root.kind != '{' {
		err = errors.New("the file does not hold an object")
	}
	if err != nil {
		return jsonNode{}, &unreadError{"JSON", err}
	}
	return root, nil
}

// unreadError is a file of settings that a person has to correct first.
type unreadError struct {
	format string
	err    error
}

func (e *unreadError) Error() string { return "reading " + e.format + ": " + e.err.Error() }
func (e *unreadError) Unwrap() error { return e.err }

func parseValue(dec *json.Decoder, data []byte) (jsonNode, error) {
	start := skipSpace(data, int(dec.InputOffset()))
	tok, err := dec.Token()
	if err != nil {
		return jsonNode{}, err
	}
	n := jsonNode{start: start}
	switch tok {
	case json.Delim('{'):
		n.kind = '{'
		for dec.More() {
			at := skipSpace(data, int(dec.InputOffset()))
			key, err := dec.Token()
			if err != nil {
				return n, err
			}
			v, err := parseValue(dec, data)
			if err != nil {
				return n, err
			}
			n.members = append(n.members, jsonMember{key: fmt.Sprint(key), start: at, value: v})
		}
		_, err = dec.Token()
	case json.Delim('['):
		n.kind = '['
		for dec.More() {
			v, err := parseValue(dec, data)
			if err != nil {
				return n, err
			}
			n.elements = append(n.elements, v)
		}
		_, err = dec.Token()
	default:
		n.text, _ = tok.(string)
	}
	n.end = int(dec.InputOffset())
	return n, err
}

// skipSpace moves over white space and the one comma or colon that the
// decoder has not consumed yet.
func skipSpace(data []byte, i int) int {
	for i < len(data) && strings.IndexByte(" \t\r\n,:", data[i]) >= 0 {
		i++
	}
	return i
}

// insertItem writes item as the last of the object or array n, in the style
// of what is there: on its own line, indented like its siblings, or on the
// same line where the container has none.
func insertItem(data []byte, n jsonNode, item string) []byte {
	inner, outer := indentOf(data, n)
	own := "\n" + inner + reindent(item, inner)
	_, ends := n.spans()
	if len(ends) == 0 {
		first := n.start + 1
		if len(bytes.TrimSpace(data[first:n.end-1])) > 0 { // comments, which stay
			return splice(data, first, first, ownLines(data, own))
		}
		return splice(data, first, n.end-1, ownLines(data, own+"\n"+outer))
	}
	last := ends[len(ends)-1]
	if bytes.IndexByte(data[n.start:last], '\n') < 0 {
		own = " " + reindent(item, outer)
	}
	return splice(data, last, last, ownLines(data, ","+own))
}

// ownLines ends the lines of text as those of data end.
func ownLines(data []byte, text string) string {
	if bytes.Contains(data, []byte("\r\n")) {
		return strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// removeItem takes out item i of n together with one comma.
func removeItem(data []byte, n jsonNode, i int) []byte {
	starts, ends := n.spans()
	switch {
	case len(starts) == 1 && len(bytes.TrimSpace(data[ends[0]:n.end-1])) > 0:
		return splice(data, n.start+1, ends[0], "")
	case len(starts) == 1:
		return splice(data, n.start+1, n.end-1, "")
	case i > 0:
		return splice(data, ends[i-1], ends[i], "")
	default:
		return splice(data, starts[0], starts[1], "")
	}
}

func (n jsonNode) spans() (starts, ends []int) {
	for _, m := range n.members {
		starts, ends = append(starts, m.start), append(ends, m.value.end)
	}
	for _, e := range n.elements {
		starts, ends = append(starts, e.start), append(ends, e.end)
	}
	return starts, ends
}

// indentOf finds how the items of n are indented, and n's own line.
func indentOf(data []byte, n jsonNode) (inner, outer string) {
	outer = lineIndent(data, n.start)
	if starts, _ := n.spans(); len(starts) > 0 {
		inner = lineIndent(data, starts[0])
	}
	if len(inner) <= len(outer) {
		inner = outer + indentUnit(data, outer)
	}
	return inner, outer
}

// indentUnit is a tab where lines of data begin with tabs, and two spaces else.
func indentUnit(data []byte, outer string) string {
	if strings.HasPrefix(outer, "\t") || outer == "" && bytes.Contains(data, []byte("\n\t")) {
		return "\t"
	}
	return "  "
}

func lineIndent(data []byte, at int) string {
	line := data[bytes.LastIndexByte(data[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// reindent moves a text that is indented by two spaces a level to stand
// behind prefix, with prefix's own unit.
func reindent(item, prefix string) string {
	if strings.HasPrefix(prefix, "\t") {
		var b strings.Builder
		for line := range strings.Lines(item) {
			body := strings.TrimLeft(line, " ")
			b.WriteString(strings.Repeat("\t", (len(line)-len(body))/2) + body)
		}
		item = b.String()
	}
	return strings.ReplaceAll(item, "\n", "\n"+prefix)
}

func splice(data []byte, from, to int, text string) []byte {
	return slices.Concat(data[:from], []byte(text), data[to:])
}

// agentHook is one entry of a hooks file in the shape Claude Code reads.
type agentHook struct {
	event string
	entry string // JSON of the entry, indented by two spaces
}

// hookMark is in the command of every entry that is ours.
const hookMark = "cortex hook "

// addAgentHooks returns data, a settings file of an agent, with the hooks that are
// missing. Empty data stands for no file. Everything else in it stays as it is, byte
// for byte, comments too.
func addAgentHooks(data []byte, hooks []agentHook) ([]byte, error) {
	brief := isBare(data) // of a file of its own a hook is one line
	if len(bytes.TrimSpace(data)) == 0 {
		data = []byte("{}\n")
	}
	for _, h := range hooks {
		if brief {
			h.entry = oneLine(h.entry)
		}
		var err error
		if data, err = addAgentHook(data, h); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// isBare reports whether a file of hooks has nothing in it but its version, if that.
func isBare(data []byte) bool {
	switch strings.Join(strings.Fields(strings.TrimPrefix(string(data), "\ufeff")), "") {
	case "", "{}", `{"version":1}`:
		return true
	}
	return false
}

// oneLine puts a JSON text that is indented by [json.Indent] on one line.
func oneLine(indented string) string {
	out := ""
	for line := range strings.Lines(indented) {
		line = strings.TrimSpace(line)
		if strings.HasSuffix(out, ",") {
			out += " "
		}
		out += line
	}
	return out
}

func addAgentHook(data []byte, h agentHook) ([]byte, error) {
	root, err := parseSettings(data)
	if err != nil {
		return nil, err
	}
	list := quoteJSON(h.event) + ": [\n  " + strings.ReplaceAll(h.entry, "\n", "\n  ") + "\n]"
	if !strings.Contains(h.entry, "\n") {
		list = quoteJSON(h.event) + ": [" + h.entry + "]"
	}
	all, ok := root.member("hooks")
	if !ok {
		return insertItem(data, root, `"hooks": {`+"\n  "+strings.ReplaceAll(list, "\n", "\n  ")+"\n}"), nil
	}
	if all.value.kind != '{' {
		return nil, &unreadError{"JSON", errors.New(`"hooks" is not an object`)}
	}
	event, ok := all.value.member(h.event)
	if !ok {
		return insertItem(data, all.value, list), nil
	}
	if event.value.kind != '[' {
		return nil, &unreadError{"JSON", fmt.Errorf("hooks.%s is not a list", h.event)}
	}
	if slices.ContainsFunc(event.value.elements, isOurs) {
		return data, nil
	}
	return insertItem(data, event.value, h.entry), nil
}

// removeAgentHooks takes our entries out again, and the lists and objects
// that become empty by it. The rest stays byte for byte, comments too.
func removeAgentHooks(data []byte) ([]byte, error) {
	for {
		root, err := parseJSON(plainJSON(data))
		if err != nil {
			return nil, fmt.Errorf("reading JSON: %w; correct the file, or remove each hook whose command has %q"+
				" by hand", err, strings.TrimSpace(hookMark))
		}
		next := removeOneHook(data, root)
		if next == nil {
			return data, nil
		}
		data = next
	}
}

func removeOneHook(data []byte, root jsonNode) []byte {
	hi := root.index("hooks")
	if hi < 0 {
		return nil
	}
	all := root.members[hi].value
	for ei, event := range all.members {
		i := slices.IndexFunc(event.value.elements, isOurs)
		switch {
		case i < 0:
		case len(event.value.elements) > 1:
			return removeItem(data, event.value, i)
		case len(all.members) > 1:
			return removeItem(data, all, ei)
		default:
			return removeItem(data, root, hi)
		}
	}
	return nil
}

// addEntry returns data, settings of an agent or a tool, with an entry in the list or object that
// they name, which is whole where there is none. Settings that have it stay as they are, and so does
// everything else, byte for byte.
func addEntry(data []byte, list, whole, item string, has func(list jsonNode) bool) ([]byte, error) {
	root, err := parseSettings(data)
	if err != nil {
		return nil, err
	}
	entries, ok := root.member(list)
	switch {
	case !ok:
		return insertItem(data, root, quoteJSON(list)+": "+whole), nil
	case entries.value.kind != whole[0]:
		kind := map[byte]string{'[': "a list", '{': "an object"}[whole[0]]
		return nil, &unreadError{"JSON", fmt.Errorf("%q is not %s", list, kind)}
	case has(entries.value):
		return data, nil
	}
	return insertItem(data, entries.value, item), nil
}

// removeEntry takes an entry out of the list or object that settings name, if it is there, and
// the list with its last one; nil is a file with nothing else in it.
func removeEntry(data []byte, list string, entry func(list jsonNode) int) ([]byte, error) {
	root, err := parseJSON(plainJSON(data))
	if err != nil {
		return nil, fmt.Errorf("reading JSON: %w", err)
	}
	at := root.index(list)
	if at < 0 {
		return data, nil
	}
	entries := root.members[at].value
	i := entry(entries)
	if i < 0 {
		return data, nil
	}
	if len(entries.members)+len(entries.elements) > 1 {
		return removeItem(data, entries, i), nil
	}
	rest := removeItem(data, root, at)
	if onlySchema(rest) {
		return nil, nil
	}
	return rest, nil
}

func isOurs(entry jsonNode) bool {
	handlers := []jsonNode{entry} // of Copilot CLI and Cursor
	if hooks, ok := entry.member("hooks"); ok {
		handlers = hooks.value.elements
	}
	return slices.ContainsFunc(handlers, func(h jsonNode) bool {
		return slices.ContainsFunc([]string{"command", "bash"}, func(key string) bool {
			c, ok := h.member(key)
			return ok && strings.Contains(c.value.text, hookMark)
		})
	})
}

// addVersion returns data with the version that hooks of the template's shape have to
// name, if they do.
func addVersion(data, template []byte) ([]byte, error) {
	shape, err := parseJSON(template)
	if err != nil {
		return nil, &unreadError{"JSON", err}
	}
	version, ok := shape.member("version")
	if !ok {
		return data, nil
	}
	item := `"version": ` + string(template[version.value.start:version.value.end])
	if len(bytes.TrimSpace(data)) == 0 {
		return []byte("{\n  " + item + "\n}\n"), nil
	}
	root, err := parseSettings(data)
	if err != nil {
		return nil, err
	}
	if root.index("version") >= 0 {
		return data, nil
	}
	return insertItem(data, root, item), nil
}

func quoteJSON(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
