package memory_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
)

// unclean is a text merge that finds a conflict in everything.
func unclean(_, _, _ string) (string, bool) { return "", false }

func mergeBase() *memory.Memory {
	m := memory.New(memory.Decision, "Use flock", "It is freed by the kernel.", time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC))
	m.Tags = []string{"lock", "posix"}
	m.Unknown = "# note\nreviewed_by: ann\n"
	m.Confidence = 0.5
	return m
}

func TestMerge(t *testing.T) {
	early, late := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC)
	type change func(m *memory.Memory)
	for name, tt := range map[string]struct{ ours, theirs, want change }{
		"nothing":  {func(*memory.Memory) {}, func(*memory.Memory) {}, func(*memory.Memory) {}},
		"one side": {func(*memory.Memory) {}, func(m *memory.Memory) { m.Title, m.Pinned = "Use fcntl", true }, func(m *memory.Memory) { m.Title, m.Pinned = "Use fcntl", true }},
		"different fields": {
			func(m *memory.Memory) { m.Title = "Use fcntl" },
			func(m *memory.Memory) { m.Confidence = 0.9 },
			func(m *memory.Memory) { m.Title, m.Confidence = "Use fcntl", 0.9 },
		},
		"the same field, later stands": {
			func(m *memory.Memory) { m.Title, m.Priority, m.Updated = "Late", 3, late },
			func(m *memory.Memory) { m.Title, m.Priority, m.Updated = "Early", 4, early },
			func(m *memory.Memory) {
				m.Title, m.Priority, m.Updated, m.Contested = "Late", 3, late, true
				m.Text += "\n\n**Contested**, the other version has:\n\n- title: Early\n- priority: 4"
			},
		},
		"the same field to the same value": {
			func(m *memory.Memory) { m.Title, m.Updated = "Late", late },
			func(m *memory.Memory) { m.Title, m.Updated = "Late", early },
			func(m *memory.Memory) { m.Title, m.Updated = "Late", late },
		},
		"text and title of both": {
			func(m *memory.Memory) { m.Title, m.Text, m.Updated = "Late", "Wrong on NFS", late },
			func(m *memory.Memory) { m.Title, m.Text, m.Updated = "Early", "Right on NFS", early },
			func(m *memory.Memory) {
				m.Title, m.Updated, m.Contested = "Late", late, true
				m.Text = "Right on NFS\n\n**Contested**, the other version says:\n\nWrong on NFS\n\n**Contested**, the other version has:\n\n- title: Early"
			},
		},
		"sets": {
			func(m *memory.Memory) { m.Tags = []string{"posix", "lock", "zebra"} },
			func(m *memory.Memory) { m.Tags = []string{"posix", "apple", "zebra"} },
			func(m *memory.Memory) { m.Tags = []string{"posix", "apple", "zebra"} },
		},
		"one side sorts its tags": {
			func(m *memory.Memory) { m.Tags = []string{"posix", "lock"} },
			func(*memory.Memory) {},
			func(m *memory.Memory) { m.Tags = []string{"posix", "lock"} },
		},
		"links": {
			func(m *memory.Memory) { m.Links = []memory.Link{{Rel: memory.Refines, To: "0123456789abcdef"}} },
			func(m *memory.Memory) {
				m.Links = []memory.Link{{Rel: memory.Answers, To: "0123456789abcdef"}, {Rel: memory.Refines, To: "0123456789abcdef"}}
			},
			func(m *memory.Memory) {
				m.Links = []memory.Link{{Rel: memory.Answers, To: "0123456789abcdef"}, {Rel: memory.Refines, To: "0123456789abcdef"}}
			},
		},
		"unknown keys of both": {
			func(m *memory.Memory) { m.Unknown += "a_ours:\n  - 1\n" },
			func(m *memory.Memory) { m.Unknown = "# note\n# more\nreviewed_by: bob\nz_theirs: 2\n" },
			func(m *memory.Memory) {
				m.Unknown = "# note\n# more\na_ours:\n  - 1\nreviewed_by: bob\nz_theirs: 2\n"
			},
		},
		"an unknown key removed": {
			func(m *memory.Memory) { m.Unknown = "" },
			func(m *memory.Memory) { m.Unknown += "b: 2\n" },
			func(m *memory.Memory) { m.Unknown = "b: 2\n" },
		},
		"text of one side": {
			func(m *memory.Memory) { m.Text = "Other" },
			func(m *memory.Memory) { m.Tags = nil },
			func(m *memory.Memory) { m.Text, m.Tags = "Other", nil },
		},
		"text of both": {
			func(m *memory.Memory) { m.Text = "Wrong on NFS" },
			func(m *memory.Memory) { m.Text = "Right on NFS" },
			func(m *memory.Memory) {
				m.Text, m.Contested = "Right on NFS"+"\n\n**Contested**, the other version says:\n\n"+"Wrong on NFS", true
			},
		},
		"created": {
			func(m *memory.Memory) { m.Created = late },
			func(*memory.Memory) {},
			func(m *memory.Memory) { m.Created = late },
		},
	} {
		t.Run(name, func(t *testing.T) {
			ours, theirs, want := mergeBase(), mergeBase(), mergeBase()
			tt.ours(ours)
			tt.theirs(theirs)
			tt.want(want)
			for range 2 {
				got, err := memory.Merge(mergeBase(), ours, theirs, unclean)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
				ours, theirs = theirs, ours
			}
		})
	}
}

func TestMergeTakesCleanText(t *testing.T) {
	ours, theirs := mergeBase(), mergeBase()
	ours.Text, theirs.Text = "a", "b"
	got, err := memory.Merge(nil, ours, theirs, func(base, a, b string) (string, bool) { return "\n" + base + a + b + "\n\n", true })
	if err != nil || got.Text != "ab" || got.Contested {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestMergeRefusesDifferentMemories(t *testing.T) {
	a, b := mergeBase(), mergeBase()
	b.ID = "0123456789abcdef"
	for _, base := range []*memory.Memory{nil, a, b} {
		if _, err := memory.Merge(base, a, b, unclean); !errors.Is(err, memory.ErrDifferent) {
			t.Errorf("got %v", err)
		}
	}
	if _, err := memory.Merge(b, a, a, unclean); !errors.Is(err, memory.ErrDifferent) || !strings.Contains(err.Error(), string(a.ID)) {
		t.Errorf("got %v", err)
	}
}

// TestSettle: what is accepted as it is keeps both texts and the values that stand.
func TestSettle(t *testing.T) {
	for text, want := range map[string]string{
		"Text": "Text",
		"Text\n\n**Contested**, the other version says:\n\nOther":                    "Text\n\n**Contested**, the other version says:\n\nOther",
		"Text\n\n**Contested**, the other version has:\n\n- title: A\n- priority: 4": "Text",
		"**Contested**, the other version has:\n\n- title: A":                        "",
		"Text\n\n**Contested**, the other version has:\n\n- title: A\n\nMore":        "Text\n\nMore",
	} {
		m := mergeBase()
		m.Text, m.Contested = text, true
		if m.Settle(); m.Text != want || m.Contested {
			t.Errorf("%q became %q, contested %v", text, m.Text, m.Contested)
		}
	}
}
