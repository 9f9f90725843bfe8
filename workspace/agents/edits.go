package agents

import (
	"encoding/json"
	"strings"

	"github.com/git-cortex/cortex/capture/transcript"
)

// edit takes in the edits of a call that makes several of one file.
func (c *toolCall) edit(edits json.RawMessage) {
	var all []struct {
		Old string `json:"old_string"`
		New string `json:"new_string"`
	}
	_ = json.Unmarshal(edits, &all) // what is none is passed over
	for _, e := range all {
		c.Old, c.New = c.Old+e.Old+"\n", c.New+e.New+"\n"
	}
}

// unpatch makes a change of each file of a patch that is handed to apply_patch: the first is the
// call itself, and the others are beside it.
func (c *toolCall) unpatch(text string) {
	_, patch, _ := strings.Cut(text, "*** Begin Patch")
	for i, f := range transcript.Patched(patch) {
		if i == 0 {
			c.Command, c.File, c.Old, c.New = "", f.Path, f.Removed, f.Added
			continue
		}
		c.Beside = append(c.Beside, toolCall{File: f.Path, Old: f.Removed, New: f.Added})
	}
}
