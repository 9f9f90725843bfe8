package capture

import (
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
)

// sameSubject keeps, of what the agent said while working, the last word on
// each subject: a diagnosis is often revised before the turn ends.
func (w *weigher) sameSubject(before, now []*finding) []*finding {
	for _, f := range now {
		if f.c.Disposition != Kept {
			continue
		}
		for _, b := range before {
			if b.c.Disposition == Kept && (memory.Inside(b.sig, f.sig) >= 0.4 || memory.Inside(f.sig, b.sig) >= 0.4) {
				w.drop(b, Withdrawn, "revised at line "+itoa(f.c.Record+1))
			}
		}
		before = append(before, f)
	}
	return before
}

// declined takes back what the agent had worked out in its last message when
// the user turns down the question or plan that it led to. What it found out
// on the way stays.
func (w *weigher) declined(it item, since int) {
	if it.of != transcript.ToolAsk && it.of != transcript.ToolPlan {
		return
	}
	for _, k := range w.found {
		if k.c.Disposition != Kept || k.gone || k.c.Layer != session.LayerPattern || k.c.Record <= since || k.c.Record >= it.record {
			continue
		}
		switch k.c.Memory.Type {
		case memory.Decision, memory.Plan, memory.Progress, memory.Architecture, memory.Fix:
			w.drop(k, Withdrawn, "turned down by the user at line "+itoa(it.record+1))
		}
	}
}

// overturned takes back what an earlier turn said on a subject on which the
// agent has now changed its mind.
func (w *weigher) overturned(now []*finding, first int) {
	for _, f := range now {
		if f.c.Disposition != Kept || !overturns(f.c.Memory.Title+" "+f.c.Memory.Text) {
			continue
		}
		for _, k := range w.found {
			if k.c.Disposition != Kept || k.gone || k.c.Layer != session.LayerPattern || k.c.Record >= first || first-k.c.Record > 400 {
				continue
			}
			if memory.Shared(k.sig, f.sig) >= 6 && memory.Inside(k.sig, f.sig) >= 0.33 {
				w.drop(k, Withdrawn, "overturned at line "+itoa(f.c.Record+1))
				w.replaced[k.c.Memory.ID] = f.c.Memory.ID
			}
		}
	}
}

func overturns(s string) bool {
	t := " " + strings.Join(prose.Words(s), " ") + " "
	for _, p := range []string{
		" never work ", " never worked ", " doesn't work after all ", " turns out ", " turned out ", " was wrong ", " worse than ", " no longer ",
		" reverted ", " not possible after all ", " changed from ", " i was mistaken ", " contrary to ",
	} {
		if strings.Contains(t, p) {
			return true
		}
	}
	return false
}

// retraction takes back what the agent said before when it admits an error.
func (w *weigher) retraction(it item) {
	for _, p := range prose.Sentences(prose.Plain(prose.Clip(it.text, 600))) {
		if !retracts(p) {
			continue
		}
		sig := memory.Signature(prose.Plain(it.text))
		for _, k := range w.found {
			if k.c.Disposition != Kept || k.c.Layer != session.LayerPattern || k.gone || it.record-k.c.Record > 80 || len(k.sig) == 0 {
				continue
			}
			if memory.Shared(k.sig, sig) >= 3 && memory.Inside(k.sig, sig) >= 0.3 {
				w.drop(k, Withdrawn, "taken back at line "+itoa(it.record+1))
			}
		}
		return
	}
}

func retracts(s string) bool {
	t := " " + strings.Join(prose.Words(s), " ") + " "
	for _, p := range []string{
		" i made that up ", " i was wrong ", " i was mistaken ", " my mistake ", " that was incorrect ", " i misread ", " i misunderstood ",
		" i apologize ", " correction ", " that's wrong ", " i made a mistake ", " scratch that ", " that turned out to be wrong ",
		" that didn't work ", " that did not work ", " didn't fix it ", " did not fix it ", " that wasn't it ", " wasn't the cause ", " was not the cause ", " is not the cause ",
	} {
		if strings.Contains(t, p) {
			return true
		}
	}
	return false
}

// overrule takes back what the agent proposed and the user then turned down
// or replaced: proposals that share the user's own names for things.
func (w *weigher) overrule(f *finding, body string) {
	if f == nil || f.c.Disposition != Kept {
		return
	}
	names := map[string]bool{}
	for x := range strings.FieldsSeq(body) {
		x = strings.Trim(x, ".,;:()\"'!?`")
		if prose.IsIdentifier(x) || len(x) > 5 && strings.ToUpper(x) == x {
			names[strings.ToLower(x)] = true
		}
	}
	if f.c.Layer != session.LayerAnswer && f.c.Memory.Type != memory.Rejected && !strings.Contains(f.c.Cue, "refusal") {
		return
	}
	for _, k := range w.found {
		if k == f || k.c.Disposition != Kept || k.gone || rank(k.c.Layer) > rank(session.LayerStructure) || f.c.Record-k.c.Record > 120 {
			continue
		}
		same := memory.Shared(k.sig, f.sig)
		named := false
		lower := strings.ToLower(k.c.Memory.Title + " " + k.c.Memory.Text)
		for n := range names {
			named = named || strings.Contains(lower, n)
		}
		if named || same >= 4 && memory.Inside(f.sig, k.sig) >= 0.5 {
			w.drop(k, Withdrawn, "overruled by the user at line "+itoa(f.c.Record+1))
		}
	}
}
