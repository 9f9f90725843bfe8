package graph

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

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

// load completes a graph of which the memories are known; false when the
// file is not about them, or does not verify.
func (g *Graph) load(key string) bool {
	file := g.index.CacheFile(graphName)
	if file == "" {
		return false
	}
	s, err := mapped.ReadString(file, false)
	if err != nil {
		return false
	}
	sections, err := graphFormat().DecodeWhole(s, 2)
	if err != nil || sections[0] != key {
		return false
	}
	r := cachefile.Reader{Rest: sections[1]}
	if r.Uvarint() != len(g.Nodes) {
		return false
	}
	nodes, sound := readNodes(&r, g.Nodes)
	if !sound {
		return false
	}
	edges, sound := readEdges(&r, len(nodes))
	if !sound || r.Err != nil || r.Rest != "" {
		return false
	}
	g.Nodes, g.Edges = nodes, edges
	return true
}

// readNodes reads the nodes besides memories, and appends them.
func readNodes(r *cachefile.Reader, nodes []Node) (out []Node, sound bool) {
	kinds := NodeKinds()
	for range r.Count() {
		kind := int(r.Byte())
		node := Node{Name: r.Text(), Label: r.Text()}
		if kind == 0 || kind >= len(kinds) {
			return nodes, false
		}
		node.Kind = kinds[kind]
		nodes = append(nodes, node)
	}
	return nodes, true
}

// readEdges reads the edges of so many nodes.
func readEdges(r *cachefile.Reader, nodes int) (edges []Edge, sound bool) {
	rels := r.Strings()
	edges = make([]Edge, r.Count())
	for i := range edges {
		from, to, rel := r.Uvarint(), r.Uvarint(), r.Uvarint()
		weight := math.Float64frombits(r.Fixed(8))
		if max(from, to) >= nodes || rel >= len(rels) {
			return nil, false
		}
		edges[i] = Edge{from, to, rels[rel], weight}
	}
	return edges, true
}

// keep writes a graph beside the catalog, by rename: nobody waits, and a
// file that cannot be written is no failure.
func (g *Graph) keep(key string) {
	file := g.index.CacheFile(graphName)
	if file == "" || os.MkdirAll(filepath.Dir(file), 0o777) != nil {
		return
	}
	_ = cachefile.Replace(file, g.encode(key))
}

func (g *Graph) encode(key string) []byte {
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
	for i, rel := range slices.Sorted(maps.Keys(rels)) {
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
