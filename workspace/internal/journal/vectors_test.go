package journal

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAccessVectors: counters are read (A1) and written (A2) as the vectors want it.
func TestAccessVectors(t *testing.T) {
	for _, dir := range []string{"A1-lines", "A2-order"} {
		read := func(name string) []byte {
			data, err := os.ReadFile(filepath.Join("../../../memory/testdata/vectors", dir, name))
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
		if diff := cmp.Diff(string(read("want.tsv")), string(FormatAccess(ParseAccess(read("input.tsv"))))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", dir, diff)
		}
	}
}
