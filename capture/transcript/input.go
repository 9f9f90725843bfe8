package transcript

import (
	"bytes"
	"strconv"
	"strings"
)

// patched is one file of a patch in the format of the apply_patch tool.
type patched struct {
	path  string
	whole bool   // the file is new
	added string // the lines added
}

// maxPatched bounds the files of a patch.
const maxPatched = 200

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
		if words, ok := strings.CutPrefix(line, "+"); ok {
			added.WriteString(words + "\n")
			continue
		}
		verb, name, _ := strings.Cut(line, ": ")
		name = strings.TrimSpace(name)
		switch verb {
		case "*** Add File", "*** Update File", "*** Delete File":
			flush()
			if len(out) == maxPatched {
				return out
			}
			out = append(out, patched{path: name, whole: verb == "*** Add File"})
		case "*** Move to":
			if len(out) > 0 {
				out[len(out)-1].path = name
			}
		}
	}
	flush()
	return out
}

// call is the call that would have made the change.
func (f *patched) call(cwd string) (Tool, []byte) {
	file := under(cwd, f.path)
	if f.whole {
		return ToolWrite, object("file_path", file, "content", f.added)
	}
	return ToolEdit, object("file_path", file, "new_string", f.added)
}

// patchCalls emits one call per file of a patch and gives how many.
func patchCalls(patch, cwd string, e Event, emit func(*Event)) int {
	files := patchFiles(patch)
	id := e.ID
	for i, f := range files {
		e.Kind, e.ID = Call, partID(id, i)
		e.Tool, e.input = f.call(cwd)
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
				code := bytes.TrimLeft(part[i+len(m):], ` "\:`)
				return bytes.IndexAny(code[:min(len(code), 1)], "-123456789") == 0
			}
		}
	}
	return false
}

// exitFailed reports whether an exit code that stands in JSON is that of a failure.
func exitFailed(code []byte) bool {
	switch string(code) {
	case "", "0", "null":
		return false
	}
	return true
}
