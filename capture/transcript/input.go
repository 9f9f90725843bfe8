package transcript

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// The engine reads the arguments of tool calls under the names that Claude
// Code gives them. What follows translates those of other agents.

// renamed makes an object of some fields of args: pairs of the agent's name
// and ours. Of several that become the same name the first found counts.
func renamed(args []byte, pairs ...string) []byte {
	vals := make([][]byte, len(pairs)/2)
	eachField(args, func(key string, val []byte) bool {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == key {
				vals[i/2] = val
			}
		}
		return true
	})
	out := []byte{'{'}
	for i, val := range vals {
		name := pairs[2*i+1]
		if val == nil || looseField(out, name) != nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), name...), `":`...)
		out = append(out, val...)
	}
	return append(out, '}')
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

// inDirectory makes a relative file_path in args one below the working
// directory.
func inDirectory(cwd string, args []byte) []byte {
	p := text(field(args, "file_path"))
	full := under(cwd, p)
	if full == p {
		return args
	}
	rest := bytes.TrimPrefix(bytes.TrimSpace(args), []byte("{"))
	args = append([]byte(`{"full":`+string(jsonString(full))+`,`), rest...)
	return renamed(args, "full", "file_path", "content", "content", "new_string", "new_string")
}

// todoList makes the input of a to-do tool from a list whose elements name
// the step's words as key.
func todoList(list []byte, key string) []byte {
	type todo struct {
		Content string `json:"content"`
		Status  string `json:"status"`
	}
	todos := []todo{}
	eachElem(list, func(raw []byte) bool {
		t := todo{text(field(raw, key)), text(field(raw, "status"))}
		if t.Status != "cancelled" {
			todos = append(todos, t)
		}
		return len(todos) < 100
	})
	return todoInput(todos)
}

// checklist makes the input of a to-do tool from a Markdown list with boxes.
func checklist(md string) []byte {
	type todo struct {
		Content string `json:"content"`
		Status  string `json:"status"`
	}
	todos := []todo{}
	for line := range strings.Lines(md) {
		line = strings.TrimLeft(strings.TrimSpace(line), "-*+ ")
		if len(line) < 4 || line[0] != '[' || line[2] != ']' || len(todos) >= 100 {
			continue
		}
		status := "pending"
		switch line[1] {
		case 'x', 'X':
			status = "completed"
		case '~', '>', '-', '/':
			status = "in_progress"
		}
		todos = append(todos, todo{strings.TrimSpace(line[3:]), status})
	}
	return todoInput(todos)
}

func todoInput(todos any) []byte {
	out, _ := json.Marshal(map[string]any{"todos": todos})
	return out
}

// patched is one file of a patch in the format of the apply_patch tool.
type patched struct {
	path  string
	whole bool   // the file is new
	added string // the lines added
}

// patchFiles reads such a patch: "*** Update File: path" and the like, then
// lines that begin with a plus sign, a minus sign or a space.
func patchFiles(patch string) []patched {
	var out []patched
	var added strings.Builder
	flush := func() {
		if len(out) > 0 {
			out[len(out)-1].added = added.String()
		}
		added.Reset()
	}
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "*** "):
			verb, name, ok := strings.Cut(strings.TrimPrefix(line, "*** "), ": ")
			switch {
			case !ok || len(out) >= 200:
			case verb == "Add File", verb == "Update File", verb == "Delete File":
				flush()
				out = append(out, patched{path: strings.TrimSpace(name), whole: verb == "Add File"})
			case verb == "Move to" && len(out) > 0:
				out[len(out)-1].path = strings.TrimSpace(name)
			}
		case strings.HasPrefix(line, "+"):
			added.WriteString(line[1:])
			added.WriteByte('\n')
		}
	}
	flush()
	return out
}

// under makes a relative path one below a directory, when that is known.
func under(dir, p string) string {
	if dir == "" || p == "" || p[0] == '/' || p[0] == '\\' || p[0] == '~' || len(p) > 1 && p[1] == ':' {
		return p
	}
	return strings.TrimRight(dir, `/\`) + "/" + strings.TrimPrefix(p, "./")
}

// patchCalls emits one call per file of a patch and gives how many.
func patchCalls(patch, cwd string, e Event, emit func(*Event)) int {
	files := patchFiles(patch)
	id := e.ID
	for i, f := range files {
		e.Kind, e.ID, e.Tool = Call, partID(id, i), ToolEdit
		name := "new_string"
		if f.whole {
			e.Tool, name = ToolWrite, "content"
		}
		e.input = object("file_path", under(cwd, f.path), name, f.added)
		ev := e
		emit(&ev)
	}
	return len(files)
}

// results emits the result of a call: one for each file of a patch, as
// patchCalls did for the call. One call is one failure, however many files.
func results(e Event, files int, emit func(*Event)) {
	if files == 0 {
		emit(&e)
		return
	}
	for i := range files {
		ev := e
		ev.ID, ev.Failed = partID(e.ID, i), e.Failed && i == 0
		emit(&ev)
	}
}

func partID(id string, n int) string { return id + "#" + strconv.Itoa(n) }

// failedExit finds a non-zero exit code in a tool's output: the number behind
// a mark, looked for in the first and last kilobyte only.
func failedExit(raw []byte, marks ...string) bool {
	head, tail := raw[:min(len(raw), 1<<10)], raw[max(0, len(raw)-1<<10):]
	for _, part := range [][]byte{head, tail} {
		for _, m := range marks {
			if i := bytes.LastIndex(part, []byte(m)); i >= 0 {
				rest := bytes.TrimLeft(part[i+len(m):], ` "\:`)
				return len(rest) > 0 && (rest[0] >= '1' && rest[0] <= '9' || rest[0] == '-')
			}
		}
	}
	return false
}
