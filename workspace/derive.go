package workspace

import (
	"sync"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
)

// derive computes what no file says: status, effective confidence, rank, and
// what is open. It goes over the facts of the catalog once, and again only over
// memories that others link to, so that it stays cheap for ten thousand.
func (v *View) derive() {
	d := deriver{view: v, pointed: map[memory.ID]bool{}, answered: map[memory.ID]bool{}}
	for _, u := range v.uses {
		d.maxRecalls = max(d.maxRecalls, u.Recalls)
	}
	d.all()
	var nodes []memory.Node
	var linked []memory.Linked
	pending, global := 0, 0
	for i := range v.Items {
		switch v.Items[i].Stage {
		case index.Pending:
			pending++
		case index.Global:
			global++
		}
		if v.Index.Linked(i) && v.Accepted(i) {
			f := v.Index.Facts(i)
			nodes, linked = append(nodes, d.links(&f)), append(linked, memory.Linked{ID: f.ID, Links: f.Links})
		}
	}
	v.counts = map[index.Stage]int{index.Landed: len(v.Items) - pending - global, index.Pending: pending, index.Global: global}
	if len(nodes) == 0 {
		return
	}
	v.linked = true
	for i := range v.Items {
		if id := v.Index.ID(i); d.pointed[id] {
			var m memory.Memory
			v.Index.Fill(i, &m)
			nodes, linked = append(nodes, memory.Node{ID: id, Contested: m.Contested}), append(linked, memory.Linked{ID: id})
		}
	}
	v.central = memory.Centralities(linked)
	statuses := memory.Statuses(nodes)
	for i := range v.Items {
		it, id := &v.Items[i], v.Index.ID(i)
		if c, ok := v.central[id]; ok {
			var m memory.Memory
			v.Index.Fill(i, &m)
			d.one(it, &m, c)
		}
		if s, ok := statuses[id]; ok {
			it.Status = s
		}
		it.Open = it.Open && it.Status != memory.StatusSuperseded && !d.answered[id]
	}
}

// deriver is one run of derive.
type deriver struct {
	view       *View
	maxRecalls int
	pointed    map[memory.ID]bool // links lead to it
	answered   map[memory.ID]bool
}

// all derives what the facts of each memory say by themselves, on all cores.
func (d *deriver) all() {
	const part = 2048
	var group sync.WaitGroup
	for from := 0; from < len(d.view.Items); from += part {
		group.Go(func() {
			var m memory.Memory
			for i := from; i < min(from+part, len(d.view.Items)); i++ {
				d.view.Index.Fill(i, &m)
				d.one(&d.view.Items[i], &m, 0)
			}
		})
	}
	group.Wait()
}

// one derives what a memory's own facts and its centrality say.
func (d *deriver) one(it *index.Item, m *memory.Memory, central float64) {
	use := d.view.uses[m.ID]
	archived := false
	it.Effective, archived = d.view.decay.Faded(m, d.view.now, use, central)
	it.Status = memory.StatusActive
	if archived {
		it.Status = memory.StatusArchived
	}
	it.Open = m.Type == memory.Question || m.Type == memory.Problem || m.Type == memory.Plan
	it.Prior = projection.Rank(projection.Item{
		Memory: m, Effective: it.Effective, Recalls: use.Recalls, Centrality: central,
		SameBranch: it.Stage == index.Pending && it.Branch == d.view.Branch,
	}, d.maxRecalls, d.view.weights)
	if it.Stage == index.Pending && it.Far == FarGone {
		it.Prior *= goneLast
	}
}

// goneLast puts what is pending for a branch that is gone behind its equals.
const goneLast = 0.99

// links notes what the links of a memory say of others.
func (d *deriver) links(f *index.Facts) memory.Node {
	n := memory.Node{ID: f.ID, Contested: f.Contested}
	for _, l := range f.Links {
		switch l.Rel {
		case memory.Supersedes:
			n.Supersedes = append(n.Supersedes, l.To)
		case memory.Answers:
			d.answered[l.To] = true
		}
		d.pointed[l.To] = true
	}
	return n
}
