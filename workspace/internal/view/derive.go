package view

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/journal"
)

// derived holds the properties of memories that no file says.
type derived struct {
	now     time.Time // to which confidence has faded
	decay   memory.Decay
	weights projection.Weights
	uses    map[memory.ID]memory.Use
	central []float64 // by place in the view; nil for none
	linked  bool      // some memory links to another, or is contested
	counts  map[index.Stage]int
}

// Count is how many memories of a stage the view holds.
func (v *View) Count(stage index.Stage) int { return v.derived.counts[stage] }

// HasLinks reports whether some memory links to another, or is contested.
func (v *View) HasLinks() bool { return v.derived.linked }

// Centrality returns how central a memory is among those that are linked, from 0
// to 1.
func (v *View) Centrality(id memory.ID) float64 {
	return v.centrality(v.Index.Place(id))
}

// centrality is that of the memory at a place; 0 at none.
func (v *View) centrality(at int) float64 {
	if at < 0 || v.derived.central == nil {
		return 0
	}
	return v.derived.central[at]
}

// ArchivedFor returns how long a memory of the view has been archived, and whether it is.
func (v *View) ArchivedFor(e *Entry) (time.Duration, bool) {
	id := e.Memory.ID
	return v.derived.decay.ArchivedFor(e.Memory, v.derived.now, v.derived.uses[id], v.Centrality(id))
}

// derive computes what no file says: status, effective confidence, rank, and
// what is open. It goes over the facts of the catalog once, and again only over
// memories that others link to, so that it stays cheap for ten thousand.
func (r *Reader) derive(ctx context.Context, v *View, opt Options, snap *gitops.Snapshot) {
	v.derived = derived{now: r.Now(), decay: r.Fading, weights: r.Weights, uses: journal.Uses(ctx, snap)}
	if opt.ofCommit() {
		r.asOf(ctx, v)
	}
	d := deriver{view: v, answered: map[memory.ID]bool{}}
	for _, u := range v.derived.uses {
		d.maxRecalls = max(d.maxRecalls, u.Recalls)
	}
	d.all()
	v.derived.counts = countStages(v.Items)
	d.links()
}

// asOf sets a view of a revision back to its day: confidence has faded as far as it had
// then, and what was recalled since does not count. Such a view says the same for good,
// in every clone.
func (r *Reader) asOf(ctx context.Context, v *View) {
	commits, err := r.Repo.History().Log(ctx, v.source.rev, nil, 1)
	if err != nil || len(commits) == 0 {
		return // a tree, or nothing that has a day
	}
	v.source.then, v.derived.uses = commits[0], nil
	v.derived.now = commits[0].Time
	var m memory.Memory
	for i := range v.Items { // a date that was set back makes nothing younger than new
		v.Index.Fill(i, &m)
		if m.Created.After(v.derived.now) {
			v.derived.now = m.Created
		}
	}
}

func countStages(items []index.Item) map[index.Stage]int {
	counts := map[index.Stage]int{}
	for i := range items {
		counts[items[i].Stage]++
	}
	return counts
}

// deriver is one run of derive.
type deriver struct {
	view       *View
	maxRecalls int
	answered   map[memory.ID]bool
	nodes      []memory.Node
}

// all derives what the facts of each memory say by themselves, on all cores.
func (d *deriver) all() {
	const part = 2048
	v := d.view
	var group sync.WaitGroup
	for from := 0; from < len(v.Items); from += part {
		group.Go(func() {
			var m memory.Memory
			for i := from; i < min(from+part, len(v.Items)); i++ {
				v.Index.Fill(i, &m)
				d.one(&v.Items[i], &m, 0)
			}
		})
	}
	group.Wait()
}

// one derives what a memory's own facts and its centrality say.
func (d *deriver) one(it *index.Item, m *memory.Memory, central float64) {
	by := &d.view.derived
	use := by.uses[m.ID]
	fading := by.decay.Fading(m, by.now, use, central)
	archived := false
	it.Effective, archived = fading.At(by.now)
	it.Status = memory.StatusOf(archived)
	it.Open = slices.Contains([]memory.Type{memory.Question, memory.Problem, memory.Plan}, m.Type)
	it.Prior = projection.Rank(projection.Item{
		Memory: m, Effective: it.Effective, Recalls: use.Recalls, Centrality: central,
		SameBranch: it.Stage == index.Pending && it.Branch == d.view.Branch,
	}, d.maxRecalls, by.weights)
	if it.Stage == index.Pending && it.Far == FarGone {
		it.Prior *= goneLast
	}
}

// goneLast puts what is pending for a branch that is gone behind its equals.
const goneLast = 0.99

// links derives what memories say of others.
func (d *deriver) links() {
	v := d.view
	cites := d.linking()
	if len(d.nodes) == 0 {
		return
	}
	v.derived.linked = true
	v.derived.central = memory.Central(v.Index.IDs(), cites)
	statuses := memory.Statuses(d.nodes)
	for i := range v.Items {
		it, id := &v.Items[i], v.ID(i)
		if c := v.centrality(i); c > 0 {
			var m memory.Memory
			v.Index.Fill(i, &m)
			d.one(it, &m, c)
		}
		it.Status = cmp.Or(statuses[id], it.Status)
		it.Open = it.Open && it.Status != memory.StatusSuperseded && !d.answered[id]
	}
}

// linking notes the memories whose links count, and what these lead to, and returns what they cite.
func (d *deriver) linking() (cites []memory.Citation) {
	v := d.view
	for i := range v.Items {
		if v.Index.Linked(i) && v.Accepted(i) {
			links := v.Index.Links(i)
			d.nodes = append(d.nodes, d.node(i, links))
			for _, l := range links {
				if to := v.Index.Place(l.To); to >= 0 {
					cites = memory.AppendCitation(cites, l.Rel, i, to)
					d.told(l.Rel, to)
				}
			}
		}
	}
	return cites
}

// told notes the memory at a place, to which a link leads.
func (d *deriver) told(rel memory.Rel, at int) {
	if rel == memory.Supersedes || d.view.Index.Contested(at) {
		d.nodes = append(d.nodes, d.node(at, nil))
	}
}

// node notes what the links of a memory say of how others stand.
func (d *deriver) node(i int, links []memory.Link) memory.Node {
	for _, question := range memory.Targets(links, memory.Answers) {
		d.answered[question] = true
	}
	v := d.view
	return memory.Node{
		ID: v.ID(i), Contested: v.Index.Contested(i), Supersedes: memory.Targets(links, memory.Supersedes),
	}
}
