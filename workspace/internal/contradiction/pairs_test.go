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

//go:embed testdata/blind.tsv
var blindTable string

// TestPairs: of what is found at least 9 of 10 are pairs of which one can hold. Of those in much the
// same words at least 7 of 10 are found; of those in other words few are, and how many is told.
func TestPairs(t *testing.T) {
	for _, tt := range []struct {
		name, table string
		recall      float64
	}{{"pairs", pairsTable, 0.7}, {"blind", blindTable, 0.06}} {
		recall, precision := judge(t, tt.table)
		t.Logf("%s: recall %.2f, precision %.2f", tt.name, recall, precision)
		if recall < tt.recall || precision < 0.9 {
			t.Errorf("%s: less than is promised", tt.name)
		}
	}
}

// judge finds the contradictions among pairs, and returns the share that is found of those
// there are, and the share that there are of those found.
func judge(t *testing.T, table string) (recall, precision float64) {
	var found, wrong, missed float64
	for row := range words.Rows(table, 4) {
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
	return found / (found + missed), found / (found + wrong)
}

// titled is a memory made of its type and its title.
func titled(t *testing.T, said string, day int) *memory.Memory {
	typ, title, ok := strings.Cut(said, ": ")
	if !ok {
		t.Fatalf("%q has no type", said)
	}
	return memory.New(memory.Type(typ), title, "", time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC))
}
