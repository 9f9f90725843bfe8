package exchange

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const vectors = "../../memory/testdata/vectors"

func vectorFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(vectors, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestVetVectors: what is taken of a remote's journal, by its path (S1, S2) and its content (S2).
func TestVetVectors(t *testing.T) {
	for _, name := range []string{"S1-paths/paths.tsv", "S2-names/paths.tsv"} {
		for line := range strings.Lines(string(vectorFile(t, name))) {
			verdict, path, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			if reason := vetPath(path); (reason == "") != (verdict == "yes") {
				t.Errorf("%s: %s: %q", name, path, reason)
			}
		}
	}
	var contents []struct {
		Path, Content string
		Valid         bool
	}
	if err := json.Unmarshal(vectorFile(t, "S2-contents/contents.json"), &contents); err != nil {
		t.Fatal(err)
	}
	for _, c := range contents {
		if reason := vetContent(c.Path, []byte(c.Content)); (reason == "") != c.Valid {
			t.Errorf("%s: %q", c.Path, reason)
		}
	}
}

// TestCounterVectors: the counters of one clone that two sides have are merged (A3).
func TestCounterVectors(t *testing.T) {
	got := uniteAccess(vectorFile(t, "A3-merge/ours.tsv"), vectorFile(t, "A3-merge/theirs.tsv"))
	if diff := cmp.Diff(string(vectorFile(t, "A3-merge/want.tsv")), string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestUnionVectors: two journals are united as the vectors of S3 to S8 want it, whoever syncs first.
func TestUnionVectors(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(vectors, "S*", "union.json"))
	if err != nil || len(names) == 0 {
		t.Fatal("no vectors", err)
	}
	base := map[string][]byte{}
	cases := map[string]map[string]versions{}
	for _, name := range names {
		vector := filepath.Base(filepath.Dir(name))
		var u struct{ Base, Ours, Theirs, Want map[string]string }
		if err := json.Unmarshal(vectorFile(t, vector+"/union.json"), &u); err != nil {
			t.Fatal(err)
		}
		cases[vector] = map[string]versions{}
		for _, files := range []map[string]string{u.Base, u.Ours, u.Theirs, u.Want} {
			for path := range files {
				cases[vector][path] = versions{u.Ours[path], u.Theirs[path], u.Want[path]}
			}
		}
		for path, text := range u.Base {
			base[path] = []byte(text)
		}
	}
	checkUnion(t, base, cases)
}
