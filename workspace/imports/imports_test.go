package imports

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
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
		"2026-03": "2026-03-01T00:00:00Z", "4 March 2026": "2026-03-04T00:00:00Z", "March 4, 2026": "2026-03-04T00:00:00Z",
		"2026-19-19": "", "soon": "",
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
	if err := d.take(docs, &out); err != nil || out.Added != len(docs) {
		t.Fatalf("%d of %d added: %v", out.Added, len(docs), err)
	}
	for i := range docs {
		got, err := root.ReadFile(workspace.MemoryPath(docs[i].memory.Path()))
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
