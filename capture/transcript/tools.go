package transcript

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/words"
)

//go:embed tools.tsv
var toolTable string

// toolRow says of the tools in a row of tools.tsv what they do, and how their arguments
// become those that [Event] reads.
type toolRow struct {
	does        Tool
	names       [][]string // each one of ours, then those of theirs that may stand for it
	list, words string     // of a to-do list, and of the words of an item
}

// toolKey is a tool of an agent, as the agent calls it.
type toolKey struct{ agent, name string }

// toolColumns is how many columns the table has.
const toolColumns = 4

var toolRows = lazy.Value(func() map[toolKey]toolRow {
	does := map[string]Tool{
		"read": ToolRead, "write": ToolWrite, "edit": ToolEdit, "shell": ToolShell, "ask": ToolAsk, "plan": ToolPlan,
		"todos": ToolTodos, "task-new": ToolTaskNew, "task-set": ToolTaskSet,
	}
	out := map[toolKey]toolRow{}
	for cells := range words.Rows(toolTable, toolColumns) {
		row := toolRow{does: does[cells[1]]}
		row.list, row.words, _ = strings.Cut(cells[3], "/")
		for pair := range strings.FieldsSeq(cells[3]) {
			if ours, theirs, ok := strings.Cut(pair, "="); ok {
				row.names = append(row.names, append([]string{ours}, strings.Split(theirs, ",")...))
			}
		}
		for name := range strings.FieldsSeq(cells[2]) {
			out[toolKey{cells[0], name}] = row
		}
	}
	return out
})

// toolOf says what a tool of an agent does, and gives the arguments of a call under the
// names that [Event] reads.
func toolOf(agent, name string, args []byte) (Tool, []byte) {
	row := toolRows()[toolKey{agent, name}]
	switch {
	case row.words != "":
		args = todoList(field(args, row.list), row.words)
	case row.names != nil:
		args = renamed(args, row.names)
	}
	return row.does, args
}

// renamed makes an object of some members of args: of each list, the first is our name,
// and the others are theirs, of which the first that is there counts.
func renamed(args []byte, names [][]string) []byte {
	out := []byte{'{'}
	for _, list := range names {
		val := firstOf(args, list[1:])
		if val == nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(out, jsonString(list[0])...), ':')
		out = append(out, val...)
	}
	return append(out, '}')
}

// firstOf gives the raw value of the first of some members that is there.
func firstOf(args []byte, names []string) []byte {
	for _, name := range names {
		if val := field(args, name); val != nil {
			return val
		}
	}
	return nil
}

// inDirectory puts a relative file_path of args below the working directory.
func inDirectory(cwd string, args []byte) []byte {
	p := text(field(args, "file_path"))
	full := under(cwd, p)
	if full == p {
		return args
	}
	rest := bytes.TrimPrefix(bytes.TrimSpace(args), []byte("{"))
	return append([]byte(`{"file_path":`+string(jsonString(full))+`,`), rest...) // the first counts
}

// under makes a relative path one below a directory, when that is known.
func under(dir, p string) string {
	if dir == "" || p == "" || isRooted(p) {
		return p
	}
	return strings.TrimRight(dir, `/\`) + "/" + strings.TrimPrefix(p, "./")
}

// isRooted reports whether a path begins at a root, a drive or a home folder.
func isRooted(p string) bool {
	return strings.IndexByte(`/\~`, p[0]) >= 0 || len(p) > 1 && p[1] == ':'
}

// todo is a step of a to-do list as Claude Code writes it.
type todo struct {
	Content string `json:"content"`
	Status  string `json:"status"`
}

// maxTodos bounds a to-do list.
const maxTodos = 100

func todoInput(todos []todo) []byte {
	out, _ := json.Marshal(map[string][]todo{"todos": todos})
	return out
}

// todoList makes the input of a to-do tool from a list whose elements name
// the step's words as key.
func todoList(list []byte, key string) []byte {
	todos := []todo{}
	eachElem(list, func(raw []byte) bool {
		t := todo{text(field(raw, key)), text(field(raw, "status"))}
		if t.Status != "cancelled" {
			todos = append(todos, t)
		}
		return len(todos) < maxTodos
	})
	return todoInput(todos)
}

// checklist makes the input of a to-do tool from a Markdown list with boxes.
func checklist(md string) []byte {
	todos := []todo{}
	for line := range strings.Lines(md) {
		line = strings.TrimLeft(strings.TrimSpace(line), "-*+ ")
		box, words, _ := strings.Cut(line, "]")
		if words == "" || len(box) != len("[x") || box[0] != '[' {
			continue
		}
		todos = append(todos, todo{strings.TrimSpace(words), statusOf(box[1])})
	}
	return todoInput(todos[:min(len(todos), maxTodos)])
}

// statusOf is the status of a step by what is in its box.
func statusOf(mark byte) string {
	switch mark {
	case 'x', 'X':
		return "completed"
	case '~', '>', '-', '/':
		return "in_progress"
	}
	return "pending"
}

// object makes a JSON object of pairs of name and string.
func object(pairs ...string) []byte {
	m := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	out, _ := json.Marshal(m)
	return out
}

// jsonString writes s as a JSON string.
func jsonString(s string) []byte {
	out, _ := json.Marshal(s)
	return out
}
