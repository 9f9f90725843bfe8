package memory_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// vectorFile reads a file of a vector; ok is false where there is none.
func vectorFile(dir, name string) (data []byte, ok bool) {
	data, err := os.ReadFile(filepath.Join(dir, name))
	return data, err == nil
}

// vectorsOf are the folders of the vectors of some rules.
func vectorsOf(t *testing.T, pattern string) []string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(vectorsDir, pattern))
	if err != nil || len(dirs) == 0 {
		t.Fatal("no vectors", pattern, err)
	}
	return dirs
}

// TestSecondReader: a reader that knows FORMAT.md alone sees in every vector of a memory file what the
// vector wants, or refuses it for the same line; and it sees the same in the canonical file.
func TestSecondReader(t *testing.T) {
	for _, dir := range vectorsOf(t, "M*") {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			input, ok := vectorFile(dir, "input.md")
			if !ok {
				input, _ = vectorFile(dir, "canonical.md")
			}
			got, err := secondRead(input)
			if want, bad := vectorFile(dir, "want.err"); bad {
				where := strings.Join(strings.SplitN(string(want), ":", 3)[:2], ":") + ":"
				if err == nil || !strings.HasPrefix(err.Error(), where) {
					t.Errorf("read %v, %v; want %s", got, err, want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if data, ok := vectorFile(dir, "want.json"); ok {
				var want any
				if err := json.Unmarshal(data, &want); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, asJSON(t, got)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
			canonical, _ := vectorFile(dir, "canonical.md")
			again, err := secondRead(canonical)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(asJSON(t, got), asJSON(t, again)); diff != "" && ok {
				t.Errorf("the canonical file (-input +canonical):\n%s", diff)
			}
		})
	}
}

// asJSON is a value as JSON has it, so that what two readers saw can be compared.
func asJSON(t *testing.T, v any) (out any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// rows are the cells of the lines of a table of a vector.
func rows(t *testing.T, dir, name string) [][]string {
	t.Helper()
	data, ok := vectorFile(dir, name)
	if !ok {
		t.Fatal(dir, "has no", name)
	}
	var out [][]string
	for line := range strings.Lines(string(data)) {
		out = append(out, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return out
}

// wantJSON checks that a reader saw what is in want.json.
func wantJSON(t *testing.T, dir string, got any) {
	t.Helper()
	data, err := json.MarshalIndent(got, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	checkFile(t, filepath.Join(dir, "want.json"), append(data, '\n'))
}

// TestSecondMerge: the second reader merges as the vectors of the rules G want it.
func TestSecondMerge(t *testing.T) {
	for _, dir := range vectorsOf(t, "G*") {
		read := func(name string) (map[string]any, string) {
			data, ok := vectorFile(dir, name)
			if !ok {
				return nil, ""
			}
			m, err := secondRead(data)
			if err != nil {
				t.Fatal(dir, name, err)
			}
			return m, string(data)
		}
		base, _ := read("base.md")
		ours, a := read("ours.md")
		theirs, b := read("theirs.md")
		want, _ := read("merged.md")
		if ours["id"] != theirs["id"] {
			if want != nil {
				t.Error(dir, "merges two memories")
			}
			continue
		}
		for _, got := range []map[string]any{
			secondMerge(base, ours, theirs, [2]string{a, b}), secondMerge(base, theirs, ours, [2]string{b, a}),
		} {
			if diff := cmp.Diff(asJSON(t, want), asJSON(t, got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", dir, diff)
			}
		}
	}
}

// TestSecondJournal: the second reader sees the paths, branches, commits, spools and safes of a journal as the
// vectors of the rules J want it, and what may be exchanged as those of S1 and S2.
func TestSecondJournal(t *testing.T) {
	for _, dir := range append(vectorsOf(t, "J1-*"), vectorsOf(t, "S[12]-*")...) {
		if _, ok := vectorFile(dir, "paths.tsv"); !ok {
			continue
		}
		exchanged := strings.HasPrefix(filepath.Base(dir), "S")
		for _, row := range rows(t, dir, "paths.tsv") {
			if got := secondPathOK(row[1], exchanged); got != (row[0] == "yes") {
				t.Errorf("%s: %s is a path: %v", dir, row[1], got)
			}
		}
	}
	for _, dir := range vectorsOf(t, "J2-*") {
		for _, row := range rows(t, dir, "branches.tsv") {
			branch, ok := secondBranch(row[0])
			if want, err := strconv.Unquote(row[1]); ok != (err == nil) || ok && branch != want {
				t.Errorf("%s: %s is %q, %v", dir, row[0], branch, ok)
			}
		}
	}
	for _, dir := range vectorsOf(t, "J3-*") {
		data, _ := vectorFile(dir, "commit")
		form := `^tree [0-9a-f]{40}\n(parent [0-9a-f]{40}\n)?author cortex <cortex@localhost> \d+ \+0000\n` +
			`committer cortex <cortex@localhost> \d+ \+0000\n\n.+\n\n(Cortex-(Session|Branch|Head): .+\n)*$`
		if !regexp.MustCompile(form).Match(data) {
			t.Errorf("%s: %q", dir, data)
		}
	}
	for _, dir := range vectorsOf(t, "J4-*") {
		if data, _ := vectorFile(dir, "format"); strings.TrimSpace(string(data)) != "1" {
			t.Errorf("%s: %q", dir, data)
		}
	}
	for _, dir := range vectorsOf(t, "J5-*") {
		data, _ := vectorFile(dir, "spool")
		wantJSON(t, dir, secondSpool(string(data)))
	}
	for _, dir := range vectorsOf(t, "J6-*") {
		data, _ := vectorFile(dir, "safe")
		wantJSON(t, dir, secondSafe(string(data)))
	}
}

// TestSecondRecords: the second reader sees the same in a session record and in its canonical form.
func TestSecondRecords(t *testing.T) {
	for _, dir := range vectorsOf(t, "R[1-9]-*") {
		for _, name := range []string{"record.md", "canonical.md"} {
			data, _ := vectorFile(dir, name)
			got, err := secondRecord(string(data))
			if err != nil {
				t.Fatal(dir, name, err)
			}
			wantJSON(t, dir, got)
			if head, _, _ := strings.Cut(string(data), "\n---\n"); name == "canonical.md" && !canonicalHead(head) {
				t.Errorf("%s: not canonical:\n%s", dir, head)
			}
		}
	}
}

// canonicalHead reports whether the known keys of a record stand in their order, and their values as R2 says.
func canonicalHead(head string) bool {
	form := regexp.MustCompile(`^(?:[A-Za-z_/][A-Za-z_/0-9.-]*|"(?:[^"\\]|\\.)*"|[1-9]\d*|\{inode: .*\})$`)
	at := 0
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		i := slices.Index(recordKeys, key)
		if i < 0 {
			continue
		}
		if i < at || !form.MatchString(value) || value == "on" {
			return false
		}
		at = i
	}
	return true
}

// TestSecondCounters: the second reader reads, writes, merges and adds up counters as the rules A want it.
func TestSecondCounters(t *testing.T) {
	for _, dir := range vectorsOf(t, "A*") {
		input, one := vectorFile(dir, "input.tsv")
		ours, _ := vectorFile(dir, "ours.tsv")
		theirs, _ := vectorFile(dir, "theirs.tsv")
		got := secondJoin(string(ours), string(theirs), strings.HasPrefix(filepath.Base(dir), "A4"))
		if one {
			got = secondCounters(secondUses(string(input)))
		}
		checkFile(t, filepath.Join(dir, "want.tsv"), []byte(got))
	}
}

// TestSecondSync: the second reader judges the files of a remote, and unites two journals, as the rules S want it.
func TestSecondSync(t *testing.T) {
	for _, dir := range vectorsOf(t, "S*") {
		var contents []struct {
			Path, Content string
			Valid         bool
		}
		if data, ok := vectorFile(dir, "contents.json"); ok && json.Unmarshal(data, &contents) != nil {
			t.Error(dir)
		}
		for _, c := range contents {
			if got := secondContentOK(c.Path, c.Content); got != c.Valid {
				t.Errorf("%s: %s is valid: %v\n%s", dir, c.Path, got, c.Content)
			}
		}
		var u struct{ Base, Ours, Theirs, Want map[string]string }
		if data, ok := vectorFile(dir, "union.json"); ok && json.Unmarshal(data, &u) != nil {
			t.Error(dir)
		}
		unions := []map[string]string{secondUnion(u.Base, u.Ours, u.Theirs), secondUnion(u.Base, u.Theirs, u.Ours)}
		for _, got := range unions {
			for p, content := range got {
				if strings.HasPrefix(content, "{") { // merged: what is read of it
					m, _ := secondRead([]byte(u.Want[p]))
					data, _ := json.Marshal(m)
					if string(data) == content {
						got[p] = u.Want[p]
					}
				}
			}
			if diff := cmp.Diff(u.Want, got, cmpEmpty); diff != "" {
				t.Errorf("%s (-want +got):\n%s", dir, diff)
			}
		}
	}
}

// cmpEmpty takes no map for an empty one.
var cmpEmpty = cmp.Transformer("empty", func(m map[string]string) []string {
	var out []string
	for p, content := range m {
		out = append(out, p+"\n"+content)
	}
	slices.Sort(out)
	return out
})
