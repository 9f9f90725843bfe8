package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

func TestScore(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"docs.jsonl":    "{\"id\":1,\"title\":\"Kiln\"}\n{\"id\":\"b\",\"text\":\"the kiln and the glaze\"}\n{\"id\":\"c\",\"text\":\"clay\"}\n",
		"queries.jsonl": "{\"id\":7,\"text\":\"kiln glaze\"}\n{\"id\":\"none\",\"text\":\"nothing\"}\n",
		"qrels.tsv":     "query\tdoc\tgrade\n7\tb\t2\n7\tc\t1\n7\t1\t0\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	dirs, err := setsIn([]string{filepath.Dir(dir), dir})
	if err != nil || len(dirs) != 2 {
		t.Fatalf("sets %v, %v", dirs, err)
	}
	s, err := loadSet(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := s.score(map[string][]string{"7": {"1", "c", "b"}})
	ideal := 2/math.Log2(2) + 1/math.Log2(3)
	want := [6]float64{0, 1, 1, 1, 0.5, (1/math.Log2(3) + 2/math.Log2(4)) / ideal}
	for i := range want {
		if math.Abs(got.sums[i]-want[i]) > 1e-12 {
			t.Errorf("scores %v, want %v", got.sums, want)
		}
	}
	if got.queries != 1 {
		t.Errorf("%d queries count, want the one with something relevant", got.queries)
	}
	if list := s.grep()["7"]; len(list) != 2 || list[0] != "b" {
		t.Errorf("grep finds %v, want b with both words first", list)
	}
}
