package capture

import (
	"math"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/weights"
	"github.com/git-cortex/cortex/memory"
)

// settingOf takes the prompt of a turn; of one that is read from its middle, the
// record has it.
func (w *weigher) settingOf(t *turn) *passage.Setting {
	s := &passage.Setting{Prompt: w.opt.requestText(t.prompt), Agreed: agrees(t.reply)}
	if !t.prompted {
		for _, q := range w.s.Requests {
			if q.Record < t.first {
				s.Prompt = q.Text
			}
		}
	}
	s.Asked = memory.Signature(s.Prompt)
	return s
}

// firstChange is the line at which a turn first wrote a file or committed, beyond all lines
// if it did neither. Of a turn that is read from its middle, what its session wrote counts.
func (w *weigher) firstChange(t *turn) int {
	if !t.prompted && len(w.s.Modified) > 0 {
		return -1
	}
	if d := after(t.deeds, t.first-1, deedEdit, deedCommit); d != nil {
		return d.record
	}
	return math.MaxInt
}

// typed sets the type of a draft that has its words.
func (w *weigher) typed(d *draft) {
	r := passage.Reading{At: d.place, Cued: d.typ, Signs: d.signs, Title: d.title, Text: d.text, Changed: d.record > w.changed, Several: d.several || collective(d.title, d.text)}
	if d.unit != nil && d.unit.Setting != nil {
		r.Prompt = d.unit.Setting.Prompt
	}
	if d.typ = r.Type(); d.chosen != "" {
		d.typ = memory.Decision
	}
}

// judged sets what the table of weights makes of a draft. The words of a person
// and of the agent that state a thing outright are not judged by it, nor is a choice
// that the agent tells of in full.
func (w *weigher) judged(d *draft) {
	t := w.opt.Weights
	if t == nil {
		t = weights.Builtin()
	}
	v := t.Score(d.signs)
	if d.open() {
		v.Lands = 0 // a proposal is no memory before somebody agrees
		if d.place != passage.Handover {
			v.Keep = 0
		}
	}
	if d.place == passage.Middle && d.unit != nil && d.unit.Intends() {
		v.Keep = 0 // what the agent is about to do stands in the diff soon
	}
	switch {
	case v.Keep < t.KeepAt:
		d.conf = (MinConfidence - 0.01) * v.Keep / t.KeepAt
	case v.Lands >= t.LandAt:
		d.conf = confLands + (capLands-confLands)*(v.Lands-t.LandAt)/(1-t.LandAt)
	default:
		d.conf = MinConfidence + (confLands-0.01-MinConfidence)*(v.Keep-t.KeepAt)/(1-t.KeepAt)
	}
	if d.chosen != "" {
		d.conf = max(d.conf, confUser)
	}
}
