package agents

import (
	"encoding/json"
	"strings"
)

// edit takes in the edits of a call that makes several of one file.
func (c *toolCall) edit(edits json.RawMessage) {
	var all []struct {
		Old string `json:"old_string"`
		New string `json:"new_string"`
	}
	if json.Unmarshal(edits, &all) != nil {
		return
	}
	for _, e := range all {
		c.Old, c.New = joinLines(c.Old, e.Old), joinLines(c.New, e.New)
	}
}

// unpatch makes a change of each file of a patch that is handed to apply_patch: the first is the
// call itself, and the others are beside it.
func (c *toolCall) unpatch(text string) {
	_, patch, ok := strings.Cut(text, "*** Begin Patch")
	if !ok {
		return
	}
	changes := patched(patch)
	if len(changes) == 0 {
		return
	}
	c.Command, c.File, c.Old, c.New = "", changes[0].File, changes[0].Old, changes[0].New
	c.Beside = changes[1:]
}

// mostPatched bounds the files of a patch that are looked at.
const mostPatched = 32

// patched are the changes of a patch, one for each file, with the lines that it takes out and
// those that it adds.
func patched(patch string) []toolCall {
	var out []toolCall
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		if name := patchedFile(line); name != "" {
			if len(out) == mostPatched {
				break
			}
			out = append(out, toolCall{File: name})
		}
		if len(out) > 0 {
			out[len(out)-1].take(line)
		}
	}
	return out
}

// patchedFile is the file that a line of a patch names, "" for another line.
func patchedFile(line string) string {
	verb, name, _ := strings.Cut(line, " File: ")
	switch verb {
	case "*** Add", "*** Update", "*** Delete":
		return strings.TrimSpace(name)
	}
	return ""
}

// take takes in a line of the change of a file.
func (c *toolCall) take(line string) {
	if rest, ok := strings.CutPrefix(line, "+"); ok {
		c.New = joinLines(c.New, rest)
	}
	if rest, ok := strings.CutPrefix(line, "-"); ok {
		c.Old = joinLines(c.Old, rest)
	}
}

// joinLines is a text with another below it.
func joinLines(a, b string) string {
	if a == "" {
		return b
	}
	return a + "\n" + b
}
