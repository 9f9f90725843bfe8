package workspace

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
)

// TestPick: what lands by itself is sure enough, the surest first, at most so
// many, and never holds a secret.
func TestPick(t *testing.T) {
	w := newWorkspace(t)
	secret := sure(memory.Gotcha, "The mirror takes "+strings.Join([]string{"ghp", "fAkE1tEsT2tOkEn3oPeNs4nOtHiNg5aTaLl6"}, "_"), 1, 1)
	landed := sure(memory.Decision, "Landed before", 1, 1)
	w.put(t, landed)
	w.putPending(t,
		sure(memory.Gotcha, "Sure gotcha", 1, 2),
		sure(memory.Decision, "Sure decision", 1, 1),
		sure(memory.Decision, "Sure older decision", 1, 5),
		sure(memory.Decision, "Answered", 0.95, 1),
		sure(memory.Decision, "Just enough", 0.85, 1),
		sure(memory.Decision, "Not quite", 0.84, 1),
		sure(memory.Decision, "Weak", 0.5, 1),
		secret)
	v := w.view(t, ViewOptions{})
	weak, err := v.Find(t.Context(), string(sure(memory.Decision, "Weak", 0.5, 1).ID))
	if err != nil {
		t.Fatal(err)
	}
	sureOnes := []string{"Sure older decision", "Sure decision", "Sure gotcha", "Answered", "Just enough"}
	for name, tt := range map[string]struct {
		ids  []string
		all  bool
		most int
		want []string
	}{
		"by policy":    {most: 10, want: sureOnes},
		"at most":      {most: 2, want: sureOnes[:2]},
		"none":         {most: 0, want: nil},
		"all":          {all: true, most: 2, want: append(sureOnes[:5:5], "Not quite", "Weak")},
		"by id":        {ids: []string{string(weak.Memory.ID)}, most: 0, want: []string{"Weak"}},
		"by beginning": {ids: []string{weak.Memory.ID.Short()}, want: []string{"Weak"}},
	} {
		t.Run(name, func(t *testing.T) {
			w.lander.policy.LandMax = tt.most
			picked, err := w.lander.pick(t.Context(), v, nil, landChoice{ids: tt.ids, all: tt.all})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range picked {
				got = append(got, e.Memory.Title)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("picked (-want +got):\n%s", diff)
			}
		})
	}
	for name, tt := range map[string]struct{ id, want string }{
		"landed":   {string(landed.ID), "has landed already"},
		"a secret": {string(secret.ID), "what looks like a secret"},
		"unknown":  {"zzzzzzzz", "no such memory"},
	} {
		if _, err := w.lander.pick(t.Context(), v, nil, landChoice{ids: []string{tt.id}}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
}

func TestMergeMemoryOfTwoIDs(t *testing.T) {
	w := newWorkspace(t)
	a, b := sure(memory.Fix, "One fix", 1, 1), sure(memory.Fix, "Another fix", 1, 1)
	for name, tt := range map[string]struct {
		path        string
		base        *memory.Memory
		ours, their *memory.Memory
		want        *memory.Memory
		clean       bool
	}{
		"theirs was renamed from ours": {MemoryPath(b.Path()), a, a, b, b, true},
		"ours was renamed from theirs": {MemoryPath(a.Path()), b, a, b, a, true},
		"two that met":                 {MemoryPath(a.Path()), nil, a, b, a, false},
		"the same":                     {MemoryPath(a.Path()), a, a, a, a, true},
	} {
		t.Run(name, func(t *testing.T) {
			var base []byte
			if tt.base != nil {
				base = memory.Format(tt.base)
			}
			got, paired, err := MergeMemory(t.Context(), w.Repo, tt.path, base, memory.Format(tt.ours), memory.Format(tt.their))
			if err != nil || (paired == nil) != tt.clean || string(got) != string(memory.Format(tt.want)) {
				t.Errorf("paired %+v, %v\n%s", paired, err, got)
			}
			if paired != nil && (paired.Kept.ID != a.ID || paired.Other.ID != b.ID || paired.OtherOurs ||
				paired.OtherPath != MemoryPath(b.Path()) || paired.OtherBlob != w.Repo.Hash(memory.Format(b))) {
				t.Errorf("paired %+v", paired)
			}
		})
	}
	if _, _, err := MergeMemory(t.Context(), w.Repo, "x.md", nil, []byte("text"), memory.Format(a)); err == nil {
		t.Error("want an error for what is no memory")
	}
}
