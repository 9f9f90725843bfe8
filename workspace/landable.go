package workspace

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/hearsay"
	"github.com/git-cortex/cortex/workspace/internal/suspicion"
)

// Sure reports whether nothing in a pending memory itself keeps it from landing by
// itself, where the team has memories land with commits.
func (c *Config) Sure(m *memory.Memory) bool { return c.holds(m) == "" && len(suspicion.Signs(m)) == 0 }

// holds says in a few words why the policy lets a memory wait for a person; "" for
// nothing.
func (c *Config) holds(m *memory.Memory) string {
	if m.Hold != "" && m.Hold != memory.HoldPrivate {
		return "it is held: " + m.Hold
	}
	if why := hearsay.Waits(m); why != "" {
		return why
	}
	if m.Scope == memory.ScopeGlobal {
		return "it is about you, not about this repository: cortex promote keeps it for all of yours"
	}
	if m.Confidence < c.LandConfidence {
		return fmt.Sprintf("its confidence is below %.2f", c.LandConfidence)
	}
	switch l := session.Layer(m.Source.Layer); {
	case l.Lands(m.Confidence):
	case l == session.LayerUser:
		return "it is a sentence of the user as it was typed"
	case l == session.LayerLLM:
		return "a model worded it, and nobody checked it"
	default:
		return fmt.Sprintf("its confidence is below %.2f", session.Measured)
	}
	return c.private(m)
}

// private says in a few words that a memory may not be for everybody; "" if it is.
func (c *Config) private(m *memory.Memory) string {
	var r *redact.Redactor
	if c.PII == "keep" {
		r = r.Keeping()
	}
	if kind := r.Sensitive(m.Title + "\n" + m.Text); kind != "" {
		return "it may not be for everybody: " + kind
	}
	if m.Hold == memory.HoldPrivate {
		return "it may not be for everybody: read it before you accept it"
	}
	return ""
}

// someSure reports whether a pending memory, for whatever branch, may be sure enough to
// land by itself. That none is is seen without a look at the files of the working tree.
func (l *lander) someSure(ctx context.Context) bool {
	snap, err := l.journal.snapshot(ctx)
	if err != nil {
		return true
	}
	items, journaled, err := l.views.pending(ctx, snap, &View{})
	if err != nil || len(items) == 0 {
		return err != nil
	}
	if _, err := l.views.index.Fill(ctx, items, l.views.fetch(snap, journaled)); err != nil {
		return true
	}
	return slices.ContainsFunc(l.views.index.Catalog().Memories(ctx, items, true), func(m *memory.Memory) bool {
		return m != nil && l.policy.holds(m) == "" // what check_accept names may have signs
	})
}

// named reports whether a memory lands only when a person names it: not with all.
func (l *lander) named(ctx context.Context, v *View, m *memory.Memory) bool {
	return m.Outside() || m.Hold != "" || m.Scope == memory.ScopeGlobal || v.presumes[m.ID] || l.policy.private(m) != "" || len(l.secrets.of(ctx, m)) > 0
}

// held says in a few words why a pending memory does not land by itself, however
// much room there is; "" for nothing.
func (l *lander) held(ctx context.Context, v *View, e *Entry, marks Marks) string {
	switch {
	case marks.Entry(e):
		return "it came from another clone"
	case len(l.secrets.of(ctx, e.Memory)) > 0:
		return "it holds what looks like a secret"
	case v.presumes[e.Memory.ID]:
		return "it would replace what a person wrote, on an agent's word"
	}
	return cmp.Or(l.policy.holds(e.Memory), l.policy.flagged(e))
}

// flagged says what `cortex check` would say of a pending memory; "" for nothing.
func (c *Config) flagged(e *Entry) string {
	return hearsay.Flagged(e.Memory, slices.Contains(c.CheckAccept, e.Acceptance()))
}

// withPlans puts before each step among picked the plan that it is a step of, where that
// waits or has landed by half: work on a plan lands it, although nobody approved it. A step
// whose plan is held for another reason waits with it.
func (l *lander) withPlans(ctx context.Context, v *View, waiting, picked []Entry, marks Marks) []Entry {
	var out []Entry
	taken := map[memory.ID]bool{}
	for _, e := range picked {
		waits := false
		for _, id := range e.Memory.Linked(memory.StepOf) {
			if taken[id] {
				continue
			}
			switch i := slices.IndexFunc(waiting, func(p Entry) bool { return p.Memory.ID == id }); {
			case i < 0:
				plan, err := v.Find(ctx, string(id))
				waits = waits || err == nil && plan.Stage == index.Pending
			case l.worked(ctx, v, waiting[i], marks):
				out, taken[id] = append(out, waiting[i]), true
			default:
				waits = true
			}
		}
		if !waits && !taken[e.Memory.ID] {
			out, taken[e.Memory.ID] = append(out, e), true
		}
	}
	return out
}

// worked reports whether nothing but that it is not sure enough holds back a plan that was
// worked on.
func (l *lander) worked(ctx context.Context, v *View, plan Entry, marks Marks) bool {
	sure := *plan.Memory
	sure.Confidence = 1
	plan.Memory = &sure
	return l.held(ctx, v, &plan, marks) == ""
}

// LandedForm is the file that a pending memory becomes: with it, what the memory was
// held for is decided, and that it is about the repository.
func LandedForm(m *memory.Memory) []byte {
	if m.Hold == "" && m.Scope != memory.ScopeGlobal {
		return memory.Format(m)
	}
	free := *m
	free.Hold = ""
	if free.Scope == memory.ScopeGlobal {
		free.Scope = ""
	}
	return memory.Format(&free)
}

// Presumes reports whether a pending memory replaces or contradicts, on an agent's
// word, one that is a person's. It changes no status, and lands when a person says so.
func (v *View) Presumes(id memory.ID) bool { return v.presumes[id] }

// presuming finds the pending memories that would replace what a person wrote, chose
// or pinned, although no person said so; and of those that hold what was read somewhere,
// the ones that would replace anything.
func (v *View) presuming(ctx context.Context) {
	aims := map[memory.ID][]memory.ID{} // what is aimed at, and from where
	read := map[memory.ID]bool{}        // of these, those that hold the words of a file or a page
	for i := range v.Items {
		it := &v.Items[i]
		if it.Stage != index.Pending || !v.Index.Linked(i) {
			continue
		}
		m, ok := v.catalog.HeadOf(ctx, it)
		if !ok || !m.Outside() && hearsay.ByPerson(m) {
			continue
		}
		read[m.ID] = m.Outside()
		for _, l := range m.Links {
			if l.Rel == memory.Supersedes || l.Rel == memory.Contradicts {
				aims[l.To] = append(aims[l.To], m.ID)
			}
		}
	}
	if len(aims) == 0 {
		return
	}
	v.presumes = map[memory.ID]bool{}
	for i := range v.Items {
		from := aims[v.ID(i)]
		if len(from) == 0 {
			continue
		}
		m, ok := v.catalog.HeadOf(ctx, &v.Items[i])
		for _, id := range from {
			if ok && (read[id] || hearsay.OfPerson(m)) {
				v.presumes[id] = true
			}
		}
	}
}

// replacesPersons reports whether a memory links to one of the view that is a
// person's and says that it holds no longer.
func (v *View) replacesPersons(ctx context.Context, m *memory.Memory) bool {
	for _, l := range m.Links {
		if l.Rel != memory.Supersedes && l.Rel != memory.Contradicts {
			continue
		}
		if old, err := v.Find(ctx, string(l.To)); err == nil && hearsay.OfPerson(old.Memory) {
			return true
		}
	}
	return false
}
