package session

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what the vectors of the rules R want")

// TestVectors: records are read and written as the vectors of the rules R want it.
func TestVectors(t *testing.T) {
	dirs, err := filepath.Glob("../../memory/testdata/vectors/R[1-9]-*")
	if err != nil || len(dirs) == 0 {
		t.Fatal("no vectors", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			read := func(name string) []byte {
				data, err := os.ReadFile(filepath.Join(dir, name))
				if err != nil {
					t.Fatal(err)
				}
				return data
			}
			s, err := Parse(read("record.md"))
			if err != nil {
				t.Fatal(err)
			}
			got := Format(s)
			if *update {
				if err := os.WriteFile(filepath.Join(dir, "canonical.md"), got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(read("canonical.md")), string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var want struct{ Path string }
			if err := json.Unmarshal(read("want.json"), &want); err != nil || want.Path != s.Path() {
				t.Errorf("the path is %s, want %s (%v)", s.Path(), want.Path, err)
			}
		})
	}
}
