package postgres

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

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

func TestPackedPostings(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var want []posting
	var data []byte
	before := uint32(0)
	for range 2000 {
		p := posting{doc: before + 1 + r.Uint32N(300)}
		p.freqs = [index.Fields]uint32{r.Uint32N(3), r.Uint32N(300), r.Uint32N(2)}
		data = appendPosting(data, before, &p)
		want, before = append(want, p), p.doc
	}
	var got []posting
	err := eachPosting(data, func(p *posting) { got = append(got, *p) })
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(posting{})); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	if err := eachPosting([]byte{0x80}, func(*posting) {}); err == nil {
		t.Error("half of a number is taken for a posting")
	}
}
