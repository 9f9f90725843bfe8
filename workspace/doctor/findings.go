package doctor

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/folder"
	"github.com/git-cortex/cortex/workspace/internal/pages"
)

// maxText is how much of one memory a tool gives to an agent: docs/json.md, "Tools".
const maxText = 48 << 10

// Finding is one remark of [Findings] about a file.
type Finding struct {
	Path string `json:"path"`
	Line int    `json:"line"` // 1-based; 0 means the file as a whole
	Rule string `json:"rule"` // one of [Rules]
	Text string `json:"text"`

	Quarantined bool `json:"quarantined,omitempty"` // the memory came with a branch that is not trusted here
}

// find is a finding about a file as a whole.
func find(path, rule, text string) Finding { return Finding{Path: path, Rule: rule, Text: text} }

// Report holds the outcome of [Findings].
type Report struct {
	Findings []Finding
	Unproven []Unproven // those of no finding that nobody here is known to have said
	Idle     []string   // guards of the working tree that do nothing until a person vouches for them
	View     *workspace.View
}

// Findings looks at every memory of a view, pending ones and those in quarantine too, as a
// reviewer would: what is in quarantine is judged as if it were trusted.
// It reports files that are not memories, one id in two files, what looks like a
// secret, text that a person cannot see, that imitates an agent's own tags or that
// gives an agent orders, texts that are too long,
// links that lead nowhere, file names that do not end in the memory's id, pairs of
// memories that contradict each other, those that are contested, and guards that do nothing or whose memory is gone.
// Orders that are among accepted ([workspace.Config.CheckAccept]) are none.
func Findings(ctx context.Context, w *workspace.Workspace, opt workspace.ViewOptions, accepted []string) (*Report,
	error,
) {
	opt.Local, opt.Judged = true, true
	v, err := w.View(ctx, opt)
	if err != nil {
		return nil, err
	}
	out := append([]Finding{}, lists.Map(v.Problems, func(p index.Problem) Finding {
		return Finding{Path: p.Path, Line: p.Line, Rule: "format", Text: p.Text}
	})...)
	apart := lists.SetOf(v.Quarantine(), func(it index.Item) string { return it.Path })
	d := &doctor{w: w, accepted: accepted, apart: apart}
	entries := v.List(ctx, workspace.ListOptions{TextLess: true})
	found, err := d.findings(ctx, v, entries, opt)
	if err != nil {
		return nil, err
	}
	out = append(out, found...)
	out = append(out, d.contradictions(ctx, v)...)
	out = append(out, lists.Map(d.contestedOf(v), func(c contested) Finding {
		return find(c.path, "contested", c.says)
	})...)
	out = append(out, surfaceFindings(w, v)...)
	for i := range out {
		out[i].Quarantined = d.apart[out[i].Path]
	}
	out = sorted(out)
	return &Report{Findings: out, Unproven: unprovenOf(entries, out), Idle: d.idle, View: v}, nil
}

// surfaceFindings are the surfaces of the working tree that were edited by hand; a view of another
// state has none.
func surfaceFindings(w *workspace.Workspace, v *workspace.View) []Finding {
	if !v.OfWorktree() {
		return nil
	}
	tree, _ := w.Tree() // there is none where nothing is edited
	edited, _ := pages.EditedSurfaces(tree)
	return lists.Map(edited, func(s pages.Surface) Finding { return find(s.Path, "surface", s.Says()) })
}

// contradictions are the pairs of a view of which only one can hold. What is in
// quarantine says nothing to an agent, not even its title.
func (d *doctor) contradictions(ctx context.Context, v *workspace.View) []Finding {
	paths := map[memory.ID]string{}
	for i := range v.Items {
		paths[v.ID(i)] = v.Items[i].Path
	}
	var out []Finding
	for _, p := range v.Contradictions(ctx) {
		text := p.Sentence()
		if d.w.ByAgent() && (d.apart[paths[p.Newer.ID]] || d.apart[paths[p.Older.ID]]) {
			text = fmt.Sprintf("%s and %s contradict each other, and a person has to read what is in quarantine",
				p.Newer.ID.Short(), p.Older.ID.Short())
		}
		out = append(out, find(paths[p.Newer.ID], "contradiction", text))
	}
	return out
}

// findings returns the remarks about files that are memories.
func (d *doctor) findings(ctx context.Context, v *workspace.View, entries []workspace.Entry,
	opt workspace.ViewOptions,
) ([]Finding, error) {
	ids, err := d.allIDs(ctx, v, opt)
	if err != nil {
		return nil, err
	}
	out := clashes(ids)
	out = append(out, d.wordFindings(ctx, v, entries)...)
	for _, e := range entries {
		out = append(out, d.checkFile(e)...)
	}
	out = append(out, linkFindings(entries, ids)...)
	guards, err := d.guardFindings(ctx, opt, ids)
	return append(out, guards...), err
}

// faults returns the remarks that are about faults of a clone and not about what a memory
// says: ids and paths that clash, and secrets.
func (d *doctor) faults(ctx context.Context, v *workspace.View) ([]Finding, error) {
	ids, err := d.allIDs(ctx, v, workspace.ViewOptions{Unreviewed: true})
	if err != nil {
		return nil, err
	}
	entries := v.Entries(ctx)
	secrets := checkEach(ctx, len(entries), func(at int) []Finding { return d.checkSecrets(ctx, entries[at]) })
	return sorted(append(clashes(ids), secrets...)), nil
}

// clashes returns a finding for each id in two files, and for each path that may be taken
// for another one.
func clashes(ids map[memory.ID][]string) []Finding {
	var out []Finding
	var all []string
	for id, paths := range ids {
		all = append(all, paths...)
		if len(paths) > 1 {
			out = append(out, find(paths[0], "duplicate-id",
				fmt.Sprintf("%s is also in %s", id.Short(), strings.Join(paths[1:], ", "))))
		}
	}
	slices.Sort(all)
	return append(out, caseClashes(all)...)
}

// allIDs maps each id to the landed files that carry it, before the view folds
// them, and to pending ones where no file does.
func (d *doctor) allIDs(ctx context.Context, v *workspace.View, opt workspace.ViewOptions) (map[memory.ID][]string,
	error,
) {
	ids := map[memory.ID][]string{}
	for _, it := range v.Items {
		if f, ok := d.w.Index.Catalog().Facts(it.Blob); ok && it.Stage == index.Pending {
			ids[f.ID] = []string{it.Path}
		}
	}
	landed := v.LandedItems()
	if landed == nil {
		var err error
		if landed, _, err = d.w.Views.Landed(ctx, opt); err != nil {
			return nil, err
		}
	}
	for _, it := range landed {
		if f, ok := d.w.Index.Catalog().Facts(it.Blob); ok {
			ids[f.ID] = append(ids[f.ID], it.Path)
		}
	}
	return ids, nil
}

// checkEach looks at each of n memories by itself, on all cores.
func checkEach(ctx context.Context, n int, check func(at int) []Finding) []Finding {
	found := make([][]Finding, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for i := range found {
		group.Go(func() {
			for at := i; at < n && ctx.Err() == nil; at += len(found) {
				found[i] = append(found[i], check(at)...)
			}
		})
	}
	group.Wait()
	return slices.Concat(found...)
}

func (d *doctor) checkSecrets(ctx context.Context, e workspace.Entry) []Finding {
	return lists.Map(d.w.Secrets.Of(ctx, e.Memory), func(s redact.Secret) Finding {
		return find(e.Path, "secret", fmt.Sprintf("what looks like a secret (%s)", s.Kind))
	})
}

// checkFile returns the remarks about a memory for which its head and its path are enough.
func (d *doctor) checkFile(e workspace.Entry) []Finding {
	var out []Finding
	m := e.Memory
	if m.Outside() && e.Stage != index.Pending && !slices.Contains(d.accepted, e.Acceptance()) {
		out = append(out, find(e.Path, "origin", fmt.Sprintf("its words stand in %s, and nobody here said them;"+
			" if they are right as they are, check_accept: [%s] in config.yaml of the default branch says so",
			m.ReadIn(), e.Acceptance())))
	}
	if base := path.Base(e.Path); !strings.HasSuffix(base, "-"+m.ID.Short()+".md") {
		out = append(out, find(e.Path, "name", fmt.Sprintf("the file name does not end in -%s.md", m.ID.Short())))
	}
	return out
}

// sorted returns findings in order, each once: two secrets of one kind in a file are one.
func sorted(all []Finding) []Finding {
	lists.Sort(all, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), strings.Compare(a.Rule, b.Rule),
			strings.Compare(a.Text, b.Text))
	})
	return slices.Compact(all)
}

// caseClashes returns a finding for each path that differs from another one in
// letter case alone, or in how accents are composed: on some systems they are one file.
func caseClashes(paths []string) []Finding {
	var out []Finding
	first := map[string]string{}
	for _, p := range paths {
		folded := folder.Folded(filepath.ToSlash(p))
		if other, ok := first[folded]; ok && other != p {
			how := "letter case"
			switch one, two := norm.NFC.String(p), norm.NFC.String(other); {
			case one == two:
				how = "how accents are composed"
			case !strings.EqualFold(one, two):
				how = "what file systems pass over"
			}
			out = append(out, find(p, "case",
				"it differs from "+other+" only in "+how+": on some systems they are one file"))
		} else {
			first[folded] = p
		}
	}
	return out
}
