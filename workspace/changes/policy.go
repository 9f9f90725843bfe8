package changes

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/suspicion"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/templates"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/guard"
	"github.com/git-cortex/cortex/workspace/internal/policy"
)

// Kinds of a [Policy].
const (
	Setting    = "setting"    // a key of config.yaml
	Template   = "template"   // a file that lays out pages or the briefing
	Attributes = "attributes" // a line of .gitattributes about files below .cortex
	Guard      = "guard"      // a rule that is kept at calls
	AgentFile  = "agent"      // a file that cortex writes for an agent: rules, hooks, a server
)

// Policy is one change of what decides how memories are judged, shown and told.
type Policy struct {
	Kind    string `json:"kind"`
	Path    string `json:"path"`
	Key     string `json:"key,omitempty"` // of a setting; "" for the file as a whole
	From    string `json:"from"`          // a value, a line, or of a file its blob; "" for none
	To      string `json:"to"`
	Weakens string `json:"weakens,omitempty"` // what guards less by it, for a person; "" for nothing
}

// maxPolicy is how large a file may be to be compared, in bytes.
const maxPolicy = 256 << 10

// policySide holds the files of one of the two states that decide how memories are judged.
type policySide struct {
	files map[string][]byte // by path
	blobs map[string]string
}

// PolicyAt reads the settings of a commit. Without a file, or with one that cannot be
// used, and of "", they are the defaults.
func PolicyAt(ctx context.Context, w *workspace.Workspace, commit gitops.ObjectID) (workspace.Config, error) {
	return policy.At(ctx, w.Repo, commit)
}

// Policies lists what a range changes of settings, templates, attributes and the files
// that cortex writes for agents, by path and key.
func Policies(ctx context.Context, w *workspace.Workspace, at Range) ([]Policy, error) {
	base, err := policyOf(ctx, w, at.Base)
	if err != nil {
		return nil, err
	}
	head, err := policyOf(ctx, w, at.Head)
	if err == nil && at.Worktree {
		err = head.overlay(w)
	}
	if err != nil {
		return nil, err
	}
	out := append([]Policy{}, settingChanges(base, head)...)
	paths := maps.Clone(base.blobs)
	maps.Copy(paths, head.blobs)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		switch {
		case base.blobs[path] == head.blobs[path] || path == workspace.ConfigPath:
		case isAttributes(path):
			out = append(out, attributeChanges(path, base.files[path], head.files[path])...)
		default:
			out = append(out, fileChange(path, base, head))
		}
	}
	return out, nil
}

// policyOf reads a commit; "" has nothing.
func policyOf(ctx context.Context, w *workspace.Workspace, commit gitops.ObjectID) (*policySide, error) {
	s := &policySide{files: map[string][]byte{}, blobs: map[string]string{}}
	if commit == "" {
		return s, nil
	}
	paths, err := w.Repo.PathsAt(ctx, string(commit), policyFiles())
	if err != nil {
		return nil, err
	}
	entries, err := w.Repo.Tree(ctx, string(commit), workspace.Dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if isAttributes(e.Path) || kindOf(e.Path) != AgentFile {
			paths[e.Path] = e.Blob
		}
	}
	named := map[gitops.ObjectID][]string{}
	for path, blob := range paths {
		s.blobs[path] = string(blob)
		named[blob] = append(named[blob], path)
	}
	err = w.Repo.Blobs(ctx, slices.Sorted(maps.Keys(named)), maxPolicy, func(id gitops.ObjectID, data []byte) error {
		for _, path := range named[id] {
			s.files[path] = data
		}
		return nil
	})
	return s, err
}

// policyFiles are the files that are looked at wherever they are.
func policyFiles() []string {
	return append([]string{workspace.ConfigPath, ".gitattributes"}, templates.AgentFiles()...)
}

// overlay puts what is checked out in place of what the commit has.
func (s *policySide) overlay(w *workspace.Workspace) error {
	tree, err := w.Tree()
	if err != nil {
		return err
	}
	paths := maps.Clone(s.blobs)
	for _, path := range append(policyFiles(), workspace.BriefingTemplate) {
		paths[path] = ""
	}
	for path := range paths {
		data, ok, err := tree.ReadCapped(path, maxPolicy)
		if err != nil {
			continue // as if it were not touched: other checks name such a file
		}
		delete(s.files, path)
		delete(s.blobs, path)
		if ok {
			s.files[path], s.blobs[path] = data, string(w.Repo.Hash(data))
		}
	}
	return nil
}

// settingChanges are the keys of config.yaml that differ, as the files have them: also of
// a file that cannot be used as it is.
func settingChanges(base, head *policySide) []Policy {
	was, now := base.files[workspace.ConfigPath], head.files[workspace.ConfigPath]
	if base.blobs[workspace.ConfigPath] == head.blobs[workspace.ConfigPath] {
		return nil
	}
	before, beforeErr := policy.Parse(was)
	after, afterErr := policy.Parse(now)
	weaker := weakened(&before, &after)
	var out []Policy
	if afterErr != nil && beforeErr == nil {
		out = append(out, Policy{
			Kind: Setting, Path: workspace.ConfigPath, To: "unusable",
			Weakens: "it cannot be used: " + memory.OneLine(afterErr.Error()) +
				"; the defaults hold until that is mended",
		})
	}
	from, to := valuesOf(was), valuesOf(now)
	keys := maps.Clone(from)
	maps.Copy(keys, to)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if from[key] != to[key] {
			out = append(out, Policy{
				Kind: Setting, Path: workspace.ConfigPath, Key: key, From: from[key], To: to[key],
				Weakens: weaker[key],
			})
			delete(weaker, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(weaker)) { // by a file that is gone or unusable
		out = append(out, Policy{Kind: Setting, Path: workspace.ConfigPath, Key: key, Weakens: weaker[key]})
	}
	return out
}

// valuesOf are the values of a file over those that hold where it says nothing.
func valuesOf(data []byte) map[string]string {
	out := policy.Values(policy.Written(policy.Default()))
	maps.Copy(out, policy.Values(data))
	return out
}

// fileChange tells of a template, or of a file for agents, and what the lines that it
// has got say.
func fileChange(path string, base, head *policySide) Policy {
	p := Policy{Kind: kindOf(path), Path: path, From: base.blobs[path], To: head.blobs[path]}
	had := map[string]bool{}
	for line := range bytes.Lines(base.files[path]) {
		had[string(line)] = true
	}
	var added strings.Builder
	for line := range bytes.Lines(head.files[path]) {
		if !had[string(line)] {
			added.Write(line)
		}
	}
	if says := suspicion.Orders(added.String()); len(says) > 0 {
		p.Weakens = "it " + strings.Join(says, ", and ")
	}
	return p
}

// kindOf is the kind of a file by its path: a template, a guard, or a file for agents.
func kindOf(path string) string {
	for folder, kind := range map[string]string{workspace.TemplatesDir: Template, guard.Dir: Guard} {
		if strings.HasPrefix(path, folder+"/") {
			return kind
		}
	}
	return AgentFile
}

// weakened says by the key what the settings of a head guard less than those of its base.
func weakened(base, head *workspace.Config) map[string]string {
	out := map[string]string{}
	rank := func(key, was, now string, strictest ...string) {
		if slices.Index(strictest, now) > slices.Index(strictest, was) {
			out[key] = fmt.Sprintf("%s, not %s", now, was)
		}
	}
	rank("pii", base.PII, head.PII, "redact", "hold", "keep")
	rank("land", base.Land, head.Land, "manual", "branch", "commit")
	rank("review", base.Review, head.Review, "open", "fold")
	rank("projections", base.Projections, head.Projections, base.Projections, "off")
	for _, more := range []struct {
		key      string
		was, now float64 // the more, the less is guarded
	}{
		{"land_confidence", -base.LandConfidence, -head.LandConfidence},
		{"land_max", float64(base.LandMax), float64(head.LandMax)},
		{"land_branch_max", float64(base.LandBranchMax), float64(head.LandBranchMax)},
		{"land_share", base.LandShare, head.LandShare},
	} {
		if more.now > more.was {
			out[more.key] = fmt.Sprintf("%v, not %v", math.Abs(more.now), math.Abs(more.was))
		}
	}
	accepted := lists.Where(head.CheckAccept, func(a string) bool { return !slices.Contains(base.CheckAccept, a) })
	if len(accepted) > 0 {
		out["check_accept"] = "it accepts " + strings.Join(accepted, ", ")
	}
	added := lists.Without(head.Reviewers, func(r string) bool { return slices.Contains(base.Reviewers, r) })
	switch {
	case len(base.Reviewers) == 0:
	case len(head.Reviewers) == 0:
		out["reviewers"] = "everybody may accept memories"
	case len(added) > 0:
		out["reviewers"] = strings.Join(added, ", ") + " may accept memories"
	}
	return out
}
