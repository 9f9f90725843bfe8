package lists_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/internal/lists"
)

// row has more than one field, so that equal keys can be told apart.
type row struct {
	Key, Place int
	Text       string
}

func byKey(a, b row) int { return cmp.Compare(a.Key, b.Key) }

func TestSort(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		list := make([]row, n)
		for i := range list {
			list[i] = row{Key: random.IntN(1 + n/3), Place: i, Text: "text"}
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, byKey)
		lists.Sort(list, byKey)
		if diff := gocmp.Diff(want, list); diff != "" {
			t.Fatalf("%d rows (-stable +got):\n%s", n, diff)
		}
	}
}

func TestSortLeavesTheRestOfTheArray(t *testing.T) {
	array := []row{{Key: 3}, {Key: 2}, {Key: 1}, {Key: 0}}
	lists.Sort(array[:2], byKey)
	want := []row{{Key: 2}, {Key: 3}, {Key: 1}, {Key: 0}}
	if diff := gocmp.Diff(want, array); diff != "" {
		t.Error(diff)
	}
}

func TestPick(t *testing.T) {
	odd := func(n int) bool { return n%2 == 1 }
	if got := lists.Where([]int{1, 2, 3}, odd); !slices.Equal(got, []int{1, 3}) {
		t.Errorf("odd: %v", got)
	}
	if got := lists.Where(nil, odd); got != nil {
		t.Errorf("of none: %v", got)
	}
	list := []int{1, 2, 3}
	if got := lists.Without(list, odd); !slices.Equal(got, []int{2}) || list[0] != 1 {
		t.Errorf("without odd: %v of %v", got, list)
	}
	if got := lists.Without(list[:1], odd); got == nil || len(got) > 0 {
		t.Errorf("all dropped: %#v", got)
	}
	if got := lists.Without([]int(nil), odd); got != nil {
		t.Errorf("without, of none: %#v", got)
	}
	if got := lists.Unique([]string{"b", "a"}, []string{"a", "c"}); !slices.Equal(got, []string{"b", "a", "c"}) {
		t.Errorf("unique: %v", got)
	}
}
