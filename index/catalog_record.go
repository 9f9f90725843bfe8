package index

import (
	"encoding/binary"

	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/memory"
)

// The meta part of a body, as bytes:
//
//	links (string rel, string to)…, string title, lists of tags, files,
//	entities, anchors (string path, string blob)…, strings agent, session,
//	layer, branch, commit, ref, uvarint record
//
// where a string is a uvarint length and its bytes, and a list a uvarint number
// and its items. Of a problem: uvarint line, string path, string text.

func encodeProblem(p Problem) []byte {
	b := binary.AppendUvarint(nil, uint64(p.Line))
	return cachefile.AppendString(cachefile.AppendString(b, p.Path), p.Text)
}

func encodeMeta(m *memory.Memory) []byte {
	b := binary.AppendUvarint(make([]byte, 0, 256), uint64(len(m.Links)))
	for _, l := range m.Links {
		b = cachefile.AppendString(cachefile.AppendString(b, string(l.Rel)), string(l.To))
	}
	b = cachefile.AppendString(b, m.Title)
	for _, list := range [][]string{m.Tags, m.Files, m.Entities} {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, s := range list {
			b = cachefile.AppendString(b, s)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(m.Anchors)))
	for _, a := range m.Anchors {
		b = cachefile.AppendString(cachefile.AppendString(b, a.Path), a.Blob)
	}
	for _, s := range []string{m.Source.Agent, m.Source.Session, m.Source.Layer, m.Source.Branch, m.Source.Commit, m.Source.Ref} {
		b = cachefile.AppendString(b, s)
	}
	return binary.AppendUvarint(b, uint64(m.Source.Record))
}

func readProblem(c *cachefile.Reader) Problem {
	line := c.Uvarint()
	return Problem{Line: line, Path: c.Text(), Text: c.Text()}
}

func readLinks(c *cachefile.Reader) []memory.Link {
	n := c.Count()
	if n == 0 {
		return nil
	}
	out := make([]memory.Link, n)
	for i := range out {
		out[i] = memory.Link{Rel: memory.Rel(c.Text()), To: memory.ID(c.Text())}
	}
	return out
}

// readMeta reads into m what is no fact of it.
func readMeta(c *cachefile.Reader, m *memory.Memory) {
	m.Links = readLinks(c)
	m.Title = c.Text()
	m.Tags, m.Files, m.Entities = c.Strings(), c.Strings(), c.Strings()
	if n := c.Count(); n > 0 {
		m.Anchors = make([]memory.Anchor, n)
		for i := range m.Anchors {
			m.Anchors[i] = memory.Anchor{Path: c.Text(), Blob: c.Text()}
		}
	}
	s := &m.Source
	for _, p := range []*string{&s.Agent, &s.Session, &s.Layer, &s.Branch, &s.Commit, &s.Ref} {
		*p = c.Text()
	}
	s.Record = c.Uvarint()
}
