package gitops

import (
	"bufio"
	"cmp"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/internal/lists"
)

// Bounds of the packs that are read here: how many, the newest first, and how long the
// index of one is, in bytes. A capture of 40 objects makes one of 3 kB. Looking through
// them costs a tenth of a git process, and git repacks from 50 packs on.
const (
	mostSmall  = 50
	smallIndex = 64 << 10
)

// smallPack is a pack that is small enough to be read without git.
type smallPack struct {
	name     string // of the files, without .idx and .pack
	modified int64  // ns
	read     bool
	index    gitobject.PackIndex // once read
}

// smallPacks are the small packs there are, the newest first.
func (o *objects) smallPacks() []smallPack {
	dir := filepath.Join(o.dir, "pack")
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var found []smallPack
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), ".idx")
		if !ok || !f.Type().IsRegular() {
			continue
		}
		if info, err := f.Info(); err == nil && info.Size() <= smallIndex {
			found = append(found, smallPack{name: filepath.Join(dir, name), modified: info.ModTime().UnixNano()})
		}
	}
	lists.Sort(found, func(a, b smallPack) int { return cmp.Compare(b.modified, a.modified) })
	return found[:min(len(found), mostSmall)]
}

// readSmall reads an object of at most limit bytes that a small pack holds whole; false
// for any other, and for what is damaged: git may know another copy.
func (s *store) readSmall(id ObjectID, limit int64) (object, bool) {
	if !s.listed {
		s.small, s.listed = s.objects.smallPacks(), true
	}
	for i := range s.small {
		p := &s.small[i]
		if !p.read {
			p.read = true
			if data, err := os.ReadFile(p.name + ".idx"); err == nil {
				p.index, _ = s.objects.format.ParsePackIndex(data) // one that is malformed knows nothing
			}
		}
		if at, ok := p.index.Find(id); ok {
			if o, ok := p.object(s.objects.format, at, id, limit); ok {
				return o, true
			}
		}
	}
	return object{}, false
}

// object reads the object of at most limit bytes that begins at an offset of the pack.
func (p *smallPack) object(format gitobject.Format, at int64, id ObjectID, limit int64) (object, bool) {
	f, err := os.Open(p.name + ".pack")
	if err != nil {
		return object{}, false
	}
	defer f.Close()
	kind, data, err := format.Unpack(bufio.NewReader(io.NewSectionReader(f, at, math.MaxInt64-at)), id, limit)
	return object{kind, data}, err == nil
}
