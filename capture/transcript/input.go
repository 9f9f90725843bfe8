package transcript

import (
	"bytes"
	"strconv"
	"strings"
)

// PatchedFile is one file of a patch in the format of the apply_patch tool.
type PatchedFile struct {
	Path    string
	Whole   bool   // the file is new
	Added   string // the lines added
	Removed string // the lines taken out
}

// maxPatched bounds the files of a patch.
const maxPatched = 200

// Patched reads such a patch: "*** Update File: path" and the like, then lines that begin with a
// plus sign, a minus sign or a space.
func Patched(patch string) []PatchedFile {
	var out []PatchedFile
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		verb, name, _ := strings.Cut(line, ": ")
		switch verb {
		case "*** Add File", "*** Update File", "*** Delete File":
			if len(out) == maxPatched {
				return out
			}
			out = append(out, PatchedFile{Path: strings.TrimSpace(name), Whole: verb == "*** Add File"})
		case "*** Move to":
			rename(out, strings.TrimSpace(name))
		default:
			take(out, line+"\n")
		}
	}
	return out
}

// rename gives the last file of a patch its new name.
func rename(files []PatchedFile, name string) {
	if n := len(files); n > 0 {
		files[n-1].Path = name
	}
}

// take takes in a line of the last file of a patch.
func take(files []PatchedFile, line string) {
	if len(files) == 0 {
		return
	}
	f := &files[len(files)-1]
	switch line[0] {
	case '+':
		f.Added += line[1:]
	case '-':
		f.Removed += line[1:]
	}
}

// call is the call that would have made the change.
func (f *PatchedFile) call(cwd string) (Tool, []byte) {
	file := under(cwd, f.Path)
	if f.Whole {
		return ToolWrite, object("file_path", file, "content", f.Added)
	}
	return ToolEdit, object("file_path", file, "new_string", f.Added)
}

// patchCalls emits one call per file of a patch and gives how many.
func patchCalls(patch, cwd string, e Event, emit func(*Event)) int {
	files := Patched(patch)
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
