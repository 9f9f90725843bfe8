package curate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/templates"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/contradiction"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/grounding"
	"github.com/git-cortex/cortex/workspace/internal/hearsay"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// Bounds of the memories that a reader compares with each other.
const (
	besideTokens   = 800    // of those on the worksheet of a session
	comparedTokens = 16_000 // of a sheet for the user's command, which no agent has to read beside its work
	fewestNear     = 3      // memories that stand beside a new one because they are likest
	mostNear       = 20
	listedBytes    = 240 // of what one says
	maxPairs       = 60  // of an answer
)

// Listed is a memory on a sheet that is compared with the others listed there.
type Listed struct {
	ID      memory.ID   `json:"id"`
	Type    memory.Type `json:"type"`
	Says    string      `json:"says"`          // its title and what has room of its text
	New     bool        `json:"new,omitempty"` // no reader has compared it before
	Created time.Time   `json:"created"`
	Pending string      `json:"pending,omitempty"` // its path in the journal; "" for a file, and for a person's word
	Blob    string      `json:"blob,omitempty"`    // as it was when the sheet was made
}

func (l Listed) text() string {
	isNew := ""
	if l.New {
		isNew = "new, "
	}
	return fmt.Sprintf("- [%s] %s%s, %s: %s\n", l.ID.Short(), isNew, l.Type, l.Created.Format(time.DateOnly), l.Says)
}

// compare lists memories of a view that no reader has compared yet, each before those that may be
// about the same question, as far as they have room. Without another one beside there is nothing to compare.
func (s *Sheet) compare(ctx context.Context, w *workspace.Workspace, v *workspace.View, room int) {
	all := lists.Without(contenders(ctx, w, v), func(e workspace.Entry) bool {
		_, _, err := s.find(string(e.Memory.ID)) // what may soon be said in other words is compared then
		return err == nil
	})
	known := lists.SetOf(facts.Read(w.Repo, facts.Compared), func(id string) memory.ID { return memory.ID(id) })
	fresh := lists.Where(all, func(e workspace.Entry) bool { return !known[e.Memory.ID] })
	if len(fresh) == 0 {
		return
	}
	room -= memory.Tokens(string(templates.Comparison()))
	near := contradiction.NewNear(view.Memories(all))
	each := min(max(room/(listedBytes/4)/len(fresh), fewestNear), mostNear)
	at := map[int]int{} // places on the sheet
	for i := range all {
		if known[all[i].Memory.ID] {
			continue
		}
		for _, other := range slices.Concat([]int{i}, near.Of(i, each)) {
			if _, there := at[other]; there {
				continue
			}
			l := listed(&all[other])
			if room -= memory.Tokens(l.text()) + 1; room < 0 {
				s.More = s.More || s.Session == ""
				return
			}
			l.New, at[other] = false, len(s.Compare)
			s.Compare = append(s.Compare, l)
		}
		s.Compare[at[i]].New = true
	}
}

// contenders are the memories of a view that can contradict others, the newest first.
func contenders(ctx context.Context, w *workspace.Workspace, v *workspace.View) []workspace.Entry {
	marks := w.Journal.Marks(ctx)
	return lists.Where(v.Entries(ctx), func(e workspace.Entry) bool {
		contends := view.Decides(e.Memory.Type) && e.InForce() && e.Stage != index.Global
		return contends && !e.Memory.Outside() && !e.Received(marks)
	})
}

func listed(e *workspace.Entry) Listed {
	m := e.Memory
	l := Listed{
		ID: m.ID, Type: m.Type, Created: m.Created.UTC(),
		New: true, Says: grounding.Line(strings.TrimRight(m.Title, ".")+". "+m.Text, listedBytes),
	}
	if e.Stage == index.Pending && !hearsay.OfPerson(m) {
		l.Pending, l.Blob = e.Path, e.Blob
	}
	return l
}

// Pair names two memories of a sheet, and says how they stand to each other.
type Pair struct {
	ID     string `json:"id"`
	Other  string `json:"other"`
	Is     string `json:"is"` // contradicts, supersedes or agrees
	Reason string `json:"reason"`
}

// What a reader may say of a pair.
const (
	isOpposed  = "contradicts"
	isReplaced = "supersedes"
	isAgreed   = "agrees"
)

// judged is a pair of which a reader says that only one can hold.
type judged struct {
	newer, older Listed
	said         Pair
}

// judgePair takes a pair over that cannot both hold. Which of them does is for a person to say, whatever the reader
// thinks, and so is that both do: a pair that agrees changes nothing.
func (d *desk) judgePair(p Pair) error {
	all := d.sheet.Compare
	ids := lists.Map(all, func(l Listed) memory.ID { return l.ID })
	i, err := named(p.ID, ids)
	k, err2 := named(p.Other, ids)
	if err = cmp.Or(err, err2); err != nil {
		return err
	}
	a, b := all[i], all[k]
	switch {
	case !slices.Contains([]string{isOpposed, isReplaced, isAgreed}, p.Is):
		return fmt.Errorf("%q is none of contradicts, supersedes and agrees", grounding.Line(p.Is, 40))
	case p.Reason == "":
		return errors.New("no reason is given")
	case a.ID == b.ID, !a.New && !b.New:
		return errors.New("it takes two memories, at least one of them new")
	case p.Is == isAgreed:
		return nil
	case same(a.Says, b.Says):
		return errors.New("both say the same")
	}
	if a.Created.Before(b.Created) {
		a, b = b, a
	}
	d.pairs = append(d.pairs, judged{a, b, p})
	return nil
}

// same reports whether two sentences say the same in the same words.
func same(a, b string) bool {
	alike := sameness.Jaccard(sameness.Signature(a), sameness.Signature(b)) >= sameness.Same
	return alike && sameness.Covers(a, b) && sameness.Covers(b, a)
}

// link has the pending memory of a pair, the newer one if both are, say what a reader said of it.
// What has landed is changed by people alone, and so is a person's word.
func (b *batch) link(ctx context.Context, j judged) error {
	from, to := j.newer, j.older
	if from.Pending == "" {
		from, to = to, from
	}
	if from.Pending == "" {
		return fmt.Errorf("both are for a person to change: cortex link %s contradicts %s",
			j.newer.ID.Short(), j.older.ID.Short())
	}
	data, changed := b.change.Put[from.Pending]
	if !changed {
		var err error
		if data, err = b.waiting(ctx, Candidate{ID: from.ID, Path: from.Pending, Blob: from.Blob}); err != nil {
			return err
		}
	}
	m, err := memory.Parse(from.Pending, data)
	if err != nil {
		return err
	}
	m.Links = append(m.Links, memory.Link{Rel: memory.Contradicts, To: to.ID})
	m.Tidy()
	b.change.Put[from.Pending] = memory.Format(m)
	b.out.Pairs = append(b.out.Pairs, Pair{string(j.newer.ID), string(j.older.ID), j.said.Is, j.said.Reason})
	return nil
}

// noteCompared keeps which memories of a sheet were compared, so that no sheet has them as new again.
func noteCompared(w *workspace.Workspace, s *Sheet) {
	news := lists.Where(s.Compare, func(l Listed) bool { return l.New })
	all := append(facts.Read(w.Repo, facts.Compared), lists.Map(news, func(l Listed) string { return string(l.ID) })...)
	slices.Sort(all)
	facts.Write(w.Repo, facts.Compared, slices.Compact(all))
}
