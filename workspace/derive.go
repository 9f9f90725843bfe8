package workspace

import (
	"sync"
	"time"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
)

// derive computes what no file says: status, effective confidence, rank, and
// what is open. It goes over the facts of the catalog once, and again only over
// memories that others link to, so that it stays cheap for ten thousand.
func (v *View) derive() {
	d := deriver{view: v, pointed: map[memory.ID]bool{}, answered: map[memory.ID]bool{}}
	for id, u := range v.uses {
		d.maxRecalls = max(d.maxRecalls, u.Recalls)
		*d.mayUse.of(id) = true
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
			fades := d.fades(&m, c)
			d.one(it, &m, c, &fades)
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
	mayUse     few                // what the view has uses of, and a few others
	pointed    map[memory.ID]bool // links lead to it
	answered   map[memory.ID]bool
}

// all derives what the facts of each memory say by themselves, on all cores. How each
// fades is taken from before if it was kept for a view of the same memories.
func (d *deriver) all() {
	const part = 2048
	v := d.view
	list, known := v.fades.of(v), true
	if list == nil && v.fades != nil {
		list, known = make([]fades, len(v.Items)), false
	}
	var group sync.WaitGroup
	for from := 0; from < len(v.Items); from += part {
		group.Go(func() {
			var m memory.Memory
			for i := from; i < min(from+part, len(v.Items)); i++ {
				v.Index.Fill(i, &m)
				var own fades
				fades := &own
				if list != nil {
					fades = &list[i]
				}
				if list == nil || !known {
					*fades = d.fades(&m, 0)
				}
				d.one(&v.Items[i], &m, 0, fades)
			}
		})
	}
	group.Wait()
	if !known {
		v.fades.keep(v, list)
	}
}

// fades is how one memory fades, and how often it was recalled.
type fades struct {
	memory.Fading
	recalls int
}

func (d *deriver) fades(m *memory.Memory, central float64) fades {
	var use memory.Use
	if *d.mayUse.of(m.ID) {
		use = d.view.uses[m.ID]
	}
	return fades{d.view.decay.Fading(m, d.view.now, use, central), use.Recalls}
}

// keptFades is how the memories of a view fade, from one view to the next: it changes
// when the memories or their uses do. A nil one keeps nothing.
type keptFades struct {
	mu   sync.Mutex
	view index.View // without items
	uses string     // see recalls.uses
	from time.Time  // they hold from then on
	list []fades
}

// of returns how the memories of a view fade; nil where that is not known.
func (k *keptFades) of(v *View) []fades {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.list == nil || !v.Index.Same(&k.view) || v.usesOf == "" || v.usesOf != k.uses || v.now.Before(k.from) {
		return nil
	}
	return k.list
}

func (k *keptFades) keep(v *View, list []fades) {
	if k == nil {
		return
	}
	for _, u := range v.uses {
		if u.Last.After(v.now) {
			return // see memory.Decay.Fading
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.view, k.uses, k.from, k.list = v.Index.Bare(), v.usesOf, v.now, list
}

// one derives what a memory's own facts and its centrality say.
func (d *deriver) one(it *index.Item, m *memory.Memory, central float64, fades *fades) {
	archived := false
	it.Effective, archived = fades.At(d.view.now)
	it.Status = memory.StatusActive
	if archived {
		it.Status = memory.StatusArchived
	}
	it.Open = m.Type == memory.Question || m.Type == memory.Problem || m.Type == memory.Plan
	it.Prior = projection.Rank(projection.Item{
		Memory: m, Effective: it.Effective, Recalls: fades.recalls, Centrality: central,
		SameBranch: it.Stage == index.Pending && it.Branch == d.view.Branch,
	}, d.maxRecalls, d.view.weights)
	if it.Stage == index.Pending && it.Far == FarGone {
		it.Prior *= goneLast
	}
}

// goneLast puts what is pending for a branch that is gone behind its equals.
const goneLast = 0.99

// few says quickly of most memories that they are not among a few.
type few [1 << 12]bool

func (f *few) of(id memory.ID) *bool {
	at := 0
	for i := range min(len(id), 3) { // letters and digits in random order
		at = at<<4 ^ int(id[i])
	}
	return &f[at&(len(f)-1)]
}

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
