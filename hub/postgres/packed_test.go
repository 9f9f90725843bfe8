package postgres

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

func TestPackedHeads(t *testing.T) {
	heads := []head{
		{doc: 3, blob: "\x00\xff01234567890123456789", title: span{7, 20}, text: span{70000, 9}, lengths: [index.Fields]uint32{1, 200, 0}},
		{doc: 900000, facts: index.Facts{
			ID: "0123456789abcdef", Type: memory.Plan, Created: start, Updated: start.AddDate(0, 1, 0), Confidence: .7,
			Priority: 10, Pinned: true, Contested: true,
			Links: []memory.Link{{Rel: memory.Supersedes, To: "a"}, {Rel: memory.Answers, To: "b"}},
		}},
	}
	heads[0].facts.Created = start
	data := packHeads(heads)
	got, err := unpackHeads(data)
	if diff := cmp.Diff(heads, got, cmp.AllowUnexported(head{}, span{})); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	for i := range data {
		_, _ = unpackHeads(data[:i])
		_, _ = unpackHeads(data[i:])
	}
	if got, err := unpackHeads(nil); err != nil || len(got) > 0 {
		t.Error(got, err)
	}
}

// TestRows: what is packed is unpacked, whatever forms a word has, and damage is an error.
func TestRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, forms := range [][]string{
		{"memori"}, {"memories"}, {"memori", "memories", "memory"}, {"memory", "x"}, {"語学", "memoria"}, {},
	} {
		for _, stems := range []bool{true, false} {
			want := &row{text: "memori", forms: forms}
			doc := uint32(0)
			for range 300 {
				doc += 1 + r.Uint32N(300)
				p := want.of(doc)
				for form := range forms {
					if freq := r.Uint32N(3); freq > 0 || form == 0 && !stems {
						p.exact = append(p.exact, written{uint32(form), freq + 1})
					}
				}
				if stems {
					p.stem, p.title = r.Uint32N(4), r.Uint32N(2)
				}
			}
			for form := range forms { // none is there that nothing holds
				want.list[0].exact = append(want.list[0].exact[:form], written{uint32(form), 1})
			}
			data := want.pack()
			got, err := unpack("memori", data, nil)
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(row{}, posting{}, written{}), cmpopts.EquateEmpty()); diff != "" || err != nil {
				t.Fatalf("%v\n%s", err, diff)
			}
			for i := range data {
				_, _ = unpack("memori", data[:i], nil)
				_, _ = unpack("memori", data[i:], nil)
			}
		}
	}
	if _, err := unpack("memori", []byte{0x80}, nil); err == nil {
		t.Error("half of a number is taken for a row")
	}
	left, err := unpack("a", (&row{text: "a", forms: []string{"a", "as"}, list: []posting{
		{doc: 1, stem: 1, exact: []written{{0, 1}}}, {doc: 2, stem: 1, exact: []written{{1, 1}}},
	}}).pack(), map[uint32]bool{1: true})
	if err != nil || len(left.list) != 1 || len(left.forms) != 1 || left.forms[0] != "as" {
		t.Errorf("what is left of two documents and two forms is %+v, %v", left, err)
	}
}
