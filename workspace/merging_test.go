package workspace_test

import (
	"testing"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
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
		"theirs was renamed from ours": {workspace.MemoryPath(b.Path()), a, a, b, b, true},
		"ours was renamed from theirs": {workspace.MemoryPath(a.Path()), b, a, b, a, true},
		"two that met":                 {workspace.MemoryPath(a.Path()), nil, a, b, a, false},
		"the same":                     {workspace.MemoryPath(a.Path()), a, a, a, a, true},
	} {
		t.Run(name, func(t *testing.T) {
			var base []byte
			if tt.base != nil {
				base = memory.Format(tt.base)
			}
			got, paired, err := merging.Memory(t.Context(), w.Repo, tt.path, base, memory.Format(tt.ours), memory.Format(tt.their))
			if err != nil || (paired == nil) != tt.clean || string(got) != string(memory.Format(tt.want)) {
				t.Errorf("paired %+v, %v\n%s", paired, err, got)
			}
			if paired != nil && (paired.Kept.ID != a.ID || paired.Other.ID != b.ID || paired.OtherOurs ||
				paired.OtherPath != workspace.MemoryPath(b.Path()) || paired.OtherBlob != w.Repo.Hash(memory.Format(b))) {
				t.Errorf("paired %+v", paired)
			}
		})
	}
	if _, _, err := merging.Memory(t.Context(), w.Repo, "x.md", nil, []byte("text"), memory.Format(a)); err == nil {
		t.Error("want an error for what is no memory")
	}
}
