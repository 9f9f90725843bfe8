package index

import (
	"encoding/binary"

	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/index/internal/mapped"
)

// listedFormat is that of "list-<name>": the key that the list is for; then of each item its blob, its
// path and, as a uvarint, 1 + its number in the catalog, 0 for none.
func listedFormat() cachefile.Format { return cachefile.Format{Magic: "CTXL", Version: 1} }

// fewListed is how many items are listed sooner than a list of them is read.
const fewListed = 500

// Listed returns the items that [Index.KeepListed] kept under a name for a key: blob and path alone. It is
// nil where there are none.
func (x *Index) Listed(name, key string) []Item {
	data, _ := mapped.ReadString(x.CacheFile("list-"+name), x.opt.OneShot) // "" does not verify
	sections, err := listedFormat().DecodeWhole(data, 2)
	if err != nil || sections[0] != key {
		return nil
	}
	r := cachefile.Reader{Rest: sections[1]} // which verifies
	items := make([]Item, r.Count())
	for i := range items {
		items[i] = Item{Blob: r.Text(), Path: r.Text(), hint: int32(r.Uvarint())}
	}
	return items
}

// KeepListed keeps items under a name, in place of those of another key. The key must stand for exactly
// these blobs and paths. Few are not kept.
func (x *Index) KeepListed(name, key string, items []Item) {
	if key == "" || len(items) < fewListed {
		return
	}
	b := binary.AppendUvarint(nil, uint64(len(items)))
	for i := range items {
		b = cachefile.AppendString(cachefile.AppendString(b, items[i].Blob), items[i].Path)
		b = binary.AppendUvarint(b, uint64(items[i].hint))
	}
	// else they are listed again
	_ = cachefile.Replace(x.CacheFile("list-"+name), listedFormat().Encode([]byte(key), b))
}
