package imports

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

func TestTitle(t *testing.T) {
	long := strings.Repeat("many words ", 20)
	for text, want := range map[string]string{
		"Short": "Short",
		"":      "Document r1",
		"The glaze wants two days to dry. Before that it peels.": "The glaze wants two days to dry",
		"v1.2 of the kiln runs, e.g. at night. More.":            "v1.2 of the kiln runs, e.g. at night",
		"Two\n\nlines   of text":                                 "Two lines of text",
		long:                                                     strings.TrimSpace(long[:99]) + "…",
		strings.Repeat("x", 150):                                 strings.Repeat("x", 100) + "…",
		strings.Repeat("焼", 90):                                  strings.Repeat("焼", 33) + "…",
	} {
		if got := titleOf(text, "r1"); got != want {
			t.Errorf("title of %.40q: %q, want %q", text, got, want)
		}
	}
}

func TestDate(t *testing.T) {
	for text, want := range map[string]string{
		"2026-03-04": "2026-03-04T00:00:00Z", "2026-03-04T05:06:07+02:00": "2026-03-04T03:06:07Z",
		"2026-03": "2026-03-01T00:00:00Z", "4 March 2026": "2026-03-04T00:00:00Z",
		"March 4, 2026": "2026-03-04T00:00:00Z",
		"2026-19-19":    "", "soon": "",
	} {
		got, err := parseDate(text)
		if (err != nil) != (want == "") || err == nil && got.UTC().Format(time.RFC3339) != want {
			t.Errorf("%q is %v, %v; want %q", text, got, err, want)
		}
	}
}

// TestLines: blank lines are passed over, a line that is too long is
// reported without being held, and a last line needs no end.
func TestLines(t *testing.T) {
	s := source{lines: bufio.NewReaderSize(strings.NewReader("{}\n\n  \n"+strings.Repeat("x", maxLine+9)+"\n{}"), 16)}
	docs, more, err := s.batch()
	if err != nil || more || len(docs) != 3 {
		t.Fatalf("%d lines, more %v, %v", len(docs), more, err)
	}
	if docs[1].text != nil || docs[1].number != 4 || docs[2].number != 5 || string(docs[2].text) != "{}" {
		t.Errorf("lines %d and %d, %q", docs[1].number, docs[2].number, docs[2].text)
	}
}

// TestManyFolders: one batch may have more folders than there are
// handles to hold, one for each month and type.
func TestManyFolders(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &target{root: root, made: map[string]bool{}, ids: map[memory.ID]bool{}, paths: map[string]bool{}}
	defer d.close()
	var docs []document
	for i := range 400 {
		month := time.Date(1980+i/12, time.Month(1+i%12), 1, 0, 0, 0, 0, time.UTC)
		m := memory.New(memory.Decision, fmt.Sprintf("Decision %d", i), "text", month)
		docs = append(docs, document{memory: m, data: memory.Format(m)})
	}
	var out Result
	if err := d.take(t.Context(), docs, &out); err != nil || out.Added != len(docs) {
		t.Fatalf("%d of %d added: %v", out.Added, len(docs), err)
	}
	for i := range docs {
		got, err := root.ReadFile(view.MemoryPath(docs[i].memory.Path()))
		if err != nil || string(got) != string(docs[i].data) {
			t.Errorf("%s: %v", docs[i].memory.Path(), err)
		}
	}
}

// lines imports text and returns the result and the whole memories of w.
func lines(t *testing.T, w *workspace.Workspace, text string) (Result, []workspace.Entry) {
	t.Helper()
	out, err := JSONL(t.Context(), w, Input{Name: "notes.jsonl", Lines: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	return out, workspacetest.View(t, w, workspace.ViewOptions{}).Entries(t.Context())
}

// TestOwnSecrets: what the user calls a secret is one in an import, too.
func TestOwnSecrets(t *testing.T) {
	w := workspacetest.New(t)
	workspacetest.Git(t, w, "config", "cortex.secret", "kiln-[0-9]{4}")
	out, entries := lines(t, w, `{"id": "a", "title": "The door code", "text": "The door opens with kiln-1234."}`)
	if out.Redacted != 1 || len(entries) != 1 || strings.Contains(entries[0].Memory.Text, "1234") {
		t.Errorf("%+v, %q", out, entries[0].Memory.Text)
	}
}

// TestJSONL: what becomes of the documents of a file, line by line.
func TestJSONL(t *testing.T) {
	w := workspacetest.New(t)
	long := strings.Repeat("A title that says too much. ", 20)
	text := strings.Join([]string{
		`{"id": "a", "title": "Kilns are fired at night", "text": "For the price.", "type": "decision", "date": "2026-03-04"}`,
		`{"id": 7, "text": "Glaze dries for two whole days. Before that it peels."}`,
		`{"title": "` + long + `", "text": "More."}`,
		`{"id": "b", "title": "Kilns are fired at night", "text": "For the price.", "type": "decision", "date": "2026-03-04"}`,
		"",
		`{"title": "Of a type that is not known", "type": "rumour", "date": "soon"}`,
		`{"text": "The token is ` + strings.Join([]string{"ghp", "fAkE1tEsT2tOkEn3oPeNs4nOtHiNg5aTaLl6"}, "_") + `"}`,
		`{"text": ""}`, `not JSON`, `{"id": {}}`,
		`{"title": "x", "text": "` + strings.Repeat("y", memory.MaxFile) + `"}`,
		"\ufeff" + `{"title": "After a mark of byte order"}`,
	}, "\n")
	out, entries := lines(t, w, text)
	want := Result{
		Documents: 11, Added: 7, Redacted: 1,
		Skipped: []index.Problem{
			{Line: 8, Text: workspace.ErrEmpty.Error()},
			{Line: 9, Text: "not a JSON document: "},
			{Line: 10, Text: `"id" is neither a string nor a number`},
			{Line: 11, Text: " bytes is too long for one memory"},
		},
		Notes: []index.Problem{
			{Line: 6, Text: "imported as learned: "},
			{Line: 6, Text: `imported as of today: "soon" is not a date`},
		},
	}
	prefix := cmp.Comparer(func(a, b index.Problem) bool {
		return a.Line == b.Line && (strings.Contains(a.Text, b.Text) || strings.Contains(b.Text, a.Text))
	})
	if diff := cmp.Diff(want, out, prefix); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	byRef := map[string]*memory.Memory{}
	for _, e := range entries {
		byRef[e.Memory.Source.Ref+"/"+e.Memory.Title] = e.Memory
	}
	a, b, glaze := byRef["a/Kilns are fired at night"], byRef["b/Kilns are fired at night"],
		byRef["7/Glaze dries for two whole days"]
	switch {
	case a == nil || b == nil || a.ID == b.ID:
		t.Errorf("documents of equal words are not told apart: %v", byRef)
	case a.Type != memory.Decision || a.Created.Format(time.DateOnly) != "2026-03-04" || a.Source.Agent != "import":
		t.Errorf("%+v", a)
	case glaze == nil || glaze.Type != memory.Learned || !glaze.Created.Equal(workspacetest.Clock()):
		t.Errorf("%+v", glaze)
	case byRef["/After a mark of byte order"] == nil:
		t.Errorf("%v", byRef)
	}
	for _, m := range byRef {
		if strings.Contains(m.Title+m.Text, "fAkE1") || len(m.Title) > memory.MaxTitle {
			t.Errorf("%q", m.Title+"\n"+m.Text)
		}
	}
	again, _ := lines(t, w, text)
	if again.Added != 0 || again.Known != 7 {
		t.Errorf("a second import: %+v", again)
	}
	if status := workspacetest.Git(t, w, "status", "--porcelain", "-uall"); strings.Count(status,
		"?? .cortex/memories/") != 7 || strings.Contains(status, ".tmp") {
		t.Errorf("status:\n%s", status)
	}
}

// TestTakenPath: a document whose file name is taken, by a file that is not a
// memory, is written beside it.
func TestTakenPath(t *testing.T) {
	w := workspacetest.New(t)
	const text = `{"id": "a", "title": "Kilns are fired at night", "date": "2026-03-04"}`
	_, entries := lines(t, w, text)
	path := entries[0].Path
	workspacetest.Write(t, w, path, "not a memory\n")
	w = workspacetest.Open(t, w.Repo.Root)
	out, entries := lines(t, w, text)
	if out.Added != 1 || len(entries) != 1 || entries[0].Path == path ||
		workspacetest.Read(t, w, path) != "not a memory\n" {
		t.Errorf("%+v, %v", out, entries)
	}
}

// TestProgress: the caller hears how far the import is.
func TestProgress(t *testing.T) {
	w := workspacetest.New(t)
	var b strings.Builder
	for i := range batchSize + 1 {
		fmt.Fprintf(&b, "{\"title\": \"Document %d\"}\n", i)
	}
	var heard []int
	_, err := JSONL(t.Context(), w, Input{
		Lines: strings.NewReader(b.String()), Size: int64(b.Len()),
		Progress: func(read, total int64, documents int) {
			if read > total || total != int64(b.Len()) {
				t.Errorf("%d of %d bytes", read, total)
			}
			heard = append(heard, documents)
		},
	})
	if err != nil || len(heard) != 2 || heard[0] != batchSize || heard[1] != batchSize+1 {
		t.Errorf("%v, %v", heard, err)
	}
}

// TestListedProblems: of very many bad lines the first are listed.
func TestListedProblems(t *testing.T) {
	out, _ := lines(t, workspacetest.New(t), strings.Repeat("x\n", maxListed+5))
	if out.Documents != maxListed+5 || len(out.Skipped) != maxListed {
		t.Errorf("%d documents, %d problems", out.Documents, len(out.Skipped))
	}
}

// TestSecretInID: an id is kept as the reference of a memory, without secrets.
func TestSecretInID(t *testing.T) {
	w := workspacetest.New(t)
	token := "ghp_" + "R7kQ2mZ9xT4vB8nL" + "1cW6yH3sD5fJ0pAeUgKi"
	line := `{"id": "gh:` + token + `", "title": "The gauge is read at dawn", "text": "At noon the sun warms it."}` +
		"\n"
	out, err := JSONL(t.Context(), w, Input{Name: "notes.jsonl", Lines: strings.NewReader(line)})
	if err != nil || out.Added != 1 || out.Redacted != 1 {
		t.Fatalf("%+v %v", out, err)
	}
	err = filepath.WalkDir(filepath.Join(w.Repo.Root, ".cortex"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if bytes.Contains(data, []byte(token)) {
			t.Errorf("%s holds the token:\n%s", name, data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
