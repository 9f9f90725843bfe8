package index

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/memory"
)

func TestNearestWords(t *testing.T) {
	s := newShelf(t,
		memo(memory.Learned, "Eviction", "The cache evicts by age."),
		memo(memory.Learned, "Checksums", "Every segment has a checksum."),
	)
	hidden := memo(memory.Learned, "Elsewhere", "evictor")
	data := memory.Format(hidden)
	s.index.Catalog().Add(BlobID(data, false), "x", data)
	for _, indexed := range []bool{false, true} {
		if indexed {
			update(t, s.index, s.view)
		}
		find(t, s.index, s.view, "cache", 1) // analyses what is not indexed
		for text, want := range map[string][]string{
			"evcition": {"eviction"},
			"cahce":    {"cache"},
			"chek":     nil,
			"chec":     {"checksum", "checksums"},
			"cache":    nil, // is there
			"the xyz":  nil,
			"segmnet checksm": {
				"segment", "checksum", "checksums",
			},
		} {
			got := s.index.Nearest(context.Background(), s.view, query.Parse(text, testNow))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, indexed %v (-want +got):\n%s", text, indexed, diff)
			}
		}
	}
}

// TestNearestWordsUnread: a word is suggested although the text that holds it is damaged on
// disk, and nothing can be read again.
func TestNearestWordsUnread(t *testing.T) {
	m := memo(memory.Learned, "Eviction", "The cache evicts by age.")
	data := memory.Format(m)
	view := View{Items: []Item{{Blob: BlobID(data, false), Path: m.Path(), Stage: Landed, Status: memory.StatusActive}}}
	dir := filepath.Join(t.TempDir(), "cache")
	x := Open(Options{Dir: dir})
	if p := x.Catalog().Add(view.Items[0].Blob, m.Path(), data); p != nil {
		t.Fatal(p)
	}
	update(t, x, view)
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	damageTexts(t, dir)
	x = Open(Options{Dir: dir})
	defer x.Close()
	got := x.Nearest(t.Context(), view, query.Parse("cahce", testNow))
	if diff := cmp.Diff([]string{"cache"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestNearestWordsOfOtherLanguages: letters count, not their bytes, and no word of one
// script is taken for one of another.
func TestNearestWordsOfOtherLanguages(t *testing.T) {
	s := newShelf(t,
		memo(memory.Learned, "Schlüssel", "Die Öffnung ist größer als der Schlüssel."),
		memo(memory.Learned, "Очередь", "Очередь хранит задачи."),
		memo(memory.Learned, "Clé", "La clé du réseau est expirée, el año también."),
		memo(memory.Learned, "Cache", "The cache evicts by age."),
	)
	update(t, s.index, s.view)
	for text, want := range map[string][]string{
		"schlussel": nil, // finds it
		"schlüsel":  {"schlüssel"},
		"offnug":    {"öffnung"},
		"очерель":   {"очередь"},
		"задчи":     {"задачи"},
		"reseua":    {"réseau"},
		"сасне":     nil, // Cyrillic letters that look like those of "cache"
		"очерель cahce": {
			"очередь", "cache",
		},
	} {
		got := s.index.Nearest(t.Context(), s.view, query.Parse(text, testNow))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
