package merging_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
	"github.com/git-cortex/cortex/workspace/merging"
)

func TestMergeMemoryOfTwoIDs(t *testing.T) {
	w := workspacetest.New(t)
	a, b := workspacetest.Sure(memory.Fix, "One fix"), workspacetest.Sure(memory.Fix, "Another fix")
	for name, tt := range map[string]struct {
		path        string
		base        *memory.Memory
		ours, their *memory.Memory
		want        *memory.Memory
		clean       bool
	}{
		"theirs was renamed from ours": {view.MemoryPath(b.Path()), a, a, b, b, true},
		"ours was renamed from theirs": {view.MemoryPath(a.Path()), b, a, b, a, true},
		"two that met":                 {view.MemoryPath(a.Path()), nil, a, b, a, false},
		"the same":                     {view.MemoryPath(a.Path()), a, a, a, a, true},
	} {
		t.Run(name, func(t *testing.T) {
			var base []byte
			if tt.base != nil {
				base = memory.Format(tt.base)
			}
			got, paired, err := merging.Memory(t.Context(), w.Repo, tt.path, base, memory.Format(tt.ours),
				memory.Format(tt.their))
			if err != nil || (paired == nil) != tt.clean || string(got) != string(memory.Format(tt.want)) {
				t.Errorf("paired %+v, %v\n%s", paired, err, got)
			}
			if paired != nil && (paired.Kept.ID != a.ID || paired.Other.ID != b.ID || paired.OtherOurs ||
				paired.OtherPath != view.MemoryPath(b.Path()) || paired.OtherBlob != w.Repo.Hash(memory.Format(b))) {
				t.Errorf("paired %+v", paired)
			}
		})
	}
	if _, _, err := merging.Memory(t.Context(), w.Repo, "x.md", nil, []byte("text"), memory.Format(a)); err == nil {
		t.Error("want an error for what is no memory")
	}
}

// TestMergePageNames: a page may name any file. What is no memory is not taken for one, nor
// is what a branch or tag of that name leads to, and a merge that would hold too much is
// left to git.
func TestMergePageNames(t *testing.T) {
	w := workspacetest.New(t)
	page := func(blobs ...string) []byte {
		text := "<!-- cortex:projection decisions 2 -->\n<!-- cortex:records: the memory files that this page is" +
			" rendered from, by which branches merge it. Edit memories, not these lines.\n"
		for _, blob := range blobs {
			name, err := hex.DecodeString(blob[:12])
			if err != nil {
				t.Fatal(err)
			}
			text += base64.RawStdEncoding.EncodeToString(name) + "\n"
		}
		return []byte(text + "-->\n<!-- cortex:end 3 0123456789abcdef -->\n")
	}
	store := func(texts ...string) []string {
		args := []string{"-c", "core.compression=1", "hash-object", "-w"}
		for i, text := range texts {
			name := fmt.Sprintf("file-%d", i)
			workspacetest.Write(t, w, name, text)
			args = append(args, name)
		}
		return strings.Fields(workspacetest.Git(t, w, args...))
	}
	sound := store(string(memory.Format(workspacetest.Sure(memory.Decision, "Readings are stored in UTC"))))[0]
	workspacetest.Git(t, w, "tag", strings.Repeat("c", 12), sound)
	var texts []string
	for i := range 66 {
		m := workspacetest.Sure(memory.Decision, fmt.Sprintf("Large %d", i))
		m.Text = strings.Repeat("x", memory.MaxFile-1000-i)
		texts = append(texts, string(memory.Format(m)))
	}
	large := store(texts...)
	for name, tt := range map[string]struct {
		blobs []string
		sound bool
	}{
		"a memory":       {[]string{sound}, true},
		"no memory":      {store("password: hunter2"), false},
		"not there":      {[]string{strings.Repeat("d", 40)}, false},
		"a tag":          {[]string{strings.Repeat("c", 40)}, false},
		"too much":       {large, false},
		"some are large": {large[:2], true},
	} {
		got, err := merging.Page(t.Context(), w.Repo, workspace.Dir+"/decisions.md", nil, page(tt.blobs...),
			page(sound))
		if tt.sound != (err == nil) || strings.Contains(string(got), "hunter2") {
			t.Errorf("%s: %v\n%.2000s", name, err, got)
		}
	}
}
