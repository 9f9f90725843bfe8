package index

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"os"

	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/index/internal/mapped"
)

// graphVersion is raised when the layout of the graph cache, or what a graph is
// derived from, changes. History:
//
//	1  first
//	2  the header that all files of the cache have, and sections
const graphVersion = 2

const graphName = "graph"

func graphFormat() cachefile.Format { return cachefile.Format{Magic: "CTXG", Version: graphVersion} }

// key names what a graph is derived from: its memories, byte for byte, and the
// topics of sessions.
func (g *Graph) key(topics string) string {
	h := sha256.New()
	for i := range g.Nodes {
		h.Write([]byte(g.Nodes[i].Name))
		h.Write([]byte(g.Nodes[i].Item.Blob))
	}
	h.Write([]byte("\x00" + topics))
	return string(h.Sum(nil))
}

// The file "graph" holds the last graph that was derived with similarity. Its
// first section is the key, its second
//
//	uvarint number of memories
//	uvarint number of other nodes: byte: place in [NodeKinds], string name, string label
//	uvarint number of relations: string
//	uvarint number of edges: uvarint from, to, relation, 8 bytes weight
//
// The memories themselves are those that the key names, by id.

// loadGraph completes a graph of which the memories are known; false when the
// file is not about them, or does not verify.
func (x *Index) loadGraph(g *Graph, key string) bool {
	if x.opt.Dir == "" {
		return false
	}
	s, err := mapped.ReadString(x.path(graphName), false)
	if err != nil {
		return false
	}
	sections, err := graphFormat().DecodeWhole(s, 2)
	if err != nil || sections[0] != key {
		return false
	}
	c := cachefile.Reader{Rest: sections[1]}
	if c.Uvarint() != len(g.Nodes) {
		return false
	}
	kinds := NodeKinds()
	nodes := g.Nodes
	for range c.Count() {
		kind := int(c.Byte())
		node := GraphNode{Name: c.Text(), Label: c.Text()}
		if c.Err != nil || kind == 0 || kind >= len(kinds) {
			return false
		}
		node.Kind = kinds[kind]
		nodes = append(nodes, node)
	}
	rels := c.Strings()
	edges := make([]GraphEdge, c.Count())
	for i := range edges {
		e := &edges[i]
		e.From, e.To = c.Uvarint(), c.Uvarint()
		rel := c.Uvarint()
		e.Weight = math.Float64frombits(c.Fixed(8))
		if c.Err != nil || e.From >= len(nodes) || e.To >= len(nodes) || rel >= len(rels) {
			return false
		}
		e.Rel = rels[rel]
	}
	if c.Err != nil || len(c.Rest) > 0 {
		return false
	}
	g.Nodes, g.Edges = nodes, edges
	return true
}

// keepGraph writes a graph beside the catalog, by rename: nobody waits, and a
// file that cannot be written is no failure.
func (x *Index) keepGraph(g *Graph, key string) {
	if x.opt.Dir == "" || os.MkdirAll(x.opt.Dir, 0o777) != nil {
		return
	}
	_ = cachefile.Replace(x.path(graphName), encodeGraph(g, key))
}

func encodeGraph(g *Graph, key string) []byte {
	memories := len(g.ids)
	b := make([]byte, 0, 64*len(g.Nodes)+16*len(g.Edges))
	b = binary.AppendUvarint(b, uint64(memories))
	b = binary.AppendUvarint(b, uint64(len(g.Nodes)-memories))
	codes := map[NodeKind]byte{}
	for i, kind := range NodeKinds() {
		codes[kind] = byte(i)
	}
	for i := range g.Nodes[memories:] {
		n := &g.Nodes[memories+i]
		b = cachefile.AppendString(cachefile.AppendString(append(b, codes[n.Kind]), n.Name), n.Label)
	}
	rels := map[string]int{}
	for i := range g.Edges {
		rels[g.Edges[i].Rel] = 0
	}
	b = binary.AppendUvarint(b, uint64(len(rels)))
	for i, rel := range sortedKeys(rels) {
		rels[rel] = i
		b = cachefile.AppendString(b, rel)
	}
	b = binary.AppendUvarint(b, uint64(len(g.Edges)))
	for i := range g.Edges {
		e := &g.Edges[i]
		for _, n := range []int{e.From, e.To, rels[e.Rel]} {
			b = binary.AppendUvarint(b, uint64(n))
		}
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(e.Weight))
	}
	return graphFormat().Encode([]byte(key), b)
}
