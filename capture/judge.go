package capture

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/weights"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// settingOf takes the prompt of a turn; of one that is read from its middle, the
// record has it.
func (w *weigher) settingOf(t *turn) *passage.Setting {
	s := &passage.Setting{Prompt: w.opt.requestText(t.prompt)}
	if !t.prompted {
		s.Prompt = w.requestBefore(t.first).Text
	}
	s.Asked = sameness.Signature(s.Prompt)
	return s
}

// firstChange is the line at which a turn first wrote a file or committed, beyond all lines
// if it did neither. Of a turn that is read from its middle, what its session wrote counts.
func (w *weigher) firstChange(t *turn) int {
	if !t.prompted && len(w.s.Modified) > 0 {
		return -1
	}
	changes := func(d deed) bool { return d.kind != deedRevert }
	if i := slices.IndexFunc(t.deeds, changes); i >= 0 {
		return t.deeds[i].record
	}
	return math.MaxInt
}

// severalLines is how many lines beside the first a text has that is about several things.
const severalLines = 4

// typed sets the type of a draft that has its words.
func (w *weigher) typed(d *draft) {
	if d.chosen != "" {
		d.typ = memory.Decision
		return
	}
	r := passage.Reading{
		At: d.place, Cued: d.typ, Signs: d.signs, Title: d.title, Changed: d.record > w.changed,
		Several: d.several || strings.Count(d.text, "\n") >= severalLines,
	}
	if d.unit != nil && d.unit.Setting != nil {
		r.Prompt = d.unit.Setting.Prompt
	}
	d.typ = r.Type()
}

// judged sets what the table of weights makes of a draft.
func (w *weigher) judged(d *draft) {
	t := cmp.Or(w.opt.Weights, weights.Builtin())
	d.conf = max(confidenceOf(t, t.Score(d.signs)), d.least)
}

// confidenceOf lays a verdict out on the scale of confidence: below [MinConfidence] for what
// is not kept, from confLands on for what lands.
func confidenceOf(t *weights.Table, v weights.Verdict) float64 {
	switch {
	case v.Keep < t.KeepAt:
		return (MinConfidence - 0.01) * v.Keep / t.KeepAt
	case v.Lands >= t.LandAt:
		return confLands + (capLands-confLands)*(v.Lands-t.LandAt)/(1-t.LandAt)
	}
	return MinConfidence + (confLands-0.01-MinConfidence)*(v.Keep-t.KeepAt)/(1-t.KeepAt)
}
