package contradiction_test

import (
	_ "embed"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/contradiction"
)

//go:embed testdata/pairs.tsv
var pairsTable string

// TestPairs: of pairs of which one can hold, at least 7 of 10 are found, and of what is found
// at least 9 of 10 are such.
func TestPairs(t *testing.T) {
	var found, wrong, missed int
	for row := range words.Rows(pairsTable, 4) {
		older, newer := titled(t, row[2], 1), titled(t, row[3], 2)
		got := len(contradiction.Find([]*memory.Memory{older, newer}, anybody)) > 0
		switch {
		case got && row[1] == "yes":
			found++
		case got:
			wrong++
			t.Logf("both can hold: %s | %s", older.Title, newer.Title)
		case row[1] == "yes":
			missed++
			t.Logf("one can hold: %s | %s", older.Title, newer.Title)
		}
	}
	recall := float64(found) / float64(found+missed)
	precision := float64(found) / float64(found+wrong)
	t.Logf("%d found, %d missed, %d wrong: recall %.2f, precision %.2f", found, missed, wrong, recall, precision)
	if recall < 0.7 || precision < 0.9 {
		t.Error("less than is promised")
	}
}

// titled is a memory made of its type and its title.
func titled(t *testing.T, said string, day int) *memory.Memory {
	typ, title, ok := strings.Cut(said, ": ")
	if !ok {
		t.Fatalf("%q has no type", said)
	}
	return memory.New(memory.Type(typ), title, "", time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC))
}
