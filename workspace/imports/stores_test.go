package imports

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// lookOf returns the memories of a repository as one line each, by the id that it
// had, with links by those ids.
func lookOf(t *testing.T, w *workspace.Workspace) map[string]string {
	t.Helper()
	entries := workspacetest.View(t, w, workspace.ViewOptions{}).Entries(t.Context())
	refs := map[memory.ID]string{}
	for _, e := range entries {
		refs[e.Memory.ID] = e.Memory.Source.Ref
	}
	out := map[string]string{}
	for _, e := range entries {
		m := e.Memory
		line := fmt.Sprintf("%s %s | %s | %s", m.Type, m.Created.Format(time.DateOnly), m.Title,
			strings.ReplaceAll(m.Text, "\n", "⏎"))
		for _, part := range []struct{ name, text string }{
			{"tags", strings.Join(m.Tags, " ")},
			{"files", strings.Join(m.Files, " ")},
			{"entities", strings.Join(m.Entities, " ")},
			{"session", m.Source.Session},
			{"branch", m.Source.Branch},
		} {
			if part.text != "" {
				line += " | " + part.name + " " + part.text
			}
		}
		if m.Pinned {
			line += " | pinned"
		}
		for _, l := range m.Links {
			line += fmt.Sprintf(" | %s %s", l.Rel, refs[l.To])
		}
		out[m.Source.Ref] = fmt.Sprintf("%s | %v %d", line, m.Confidence, m.Priority)
	}
	return out
}

func TestStores(t *testing.T) {
	needsSQLite(t)
	for name, c := range map[string]struct {
		project string
		want    map[string]string
	}{
		"claude-mem.db": {"kiln", map[string]string{
			"claude-mem:1": "fix 2026-03-04 | The relay stuck above 1,200 degrees | It is driven through a" +
				" snubber now⏎⏎Welded contacts kept the kiln on.⏎⏎- The snubber is 100 ohm | tags gotcha" +
				" problem-solution | files relay/drive.c | session m1 | 1 7",
			"claude-mem:2": "decision 2026-03-04 | Log temperatures as CSV | Spreadsheets read it. |" +
				" session m1 | 1 9",
			"claude-mem:3": "learned 2025-01-02 | Only the text of an early version |  | session m2 | 1 7",
			"claude-mem:summary-1": "learned 2026-03-04 | Contacts weld when they switch at the peak of the mains |" +
				"  | tags session-summary | session m1 | 1 7",
		}},
		"plugin.db": {"", map[string]string{
			"memory:a1": "decision 2026-01-02 | Readings go into PostgreSQL | Readings go into PostgreSQL, because" +
				" two writers are needed. | tags storage db | session s7 | pinned | supersedes memory:a0 | 0.9 9",
			"memory:a0": "decision 2025-12-01 | Readings go into SQLite |  | session s1 | 0.8 5",
			"memory:a2": "code 2026-01-03 | dew computes the dew point | func dew(t float64) float64 | session s7 |" +
				" derived_from memory:a1 | 0.7 4",
		}},
		"graph.db": {"", map[string]string{
			"idea:1": "question 2026-02-01 | Which radio do we take? |  | session s1 | 0.6 6",
			"idea:2": "decision 2026-02-01 | We take the radio with the temperature compensated crystal |  | files" +
				" radio/spi.c | entities SX1262 | session s1 | answers idea:1 | 0.9 9",
		}},
		"engram.db": {"kiln", map[string]string{
			"engram:1": "decision 2026-05-01 | Fire to cone 6 | Cone 10 bends the shelves. | tags kiln/firing |" +
				" session n1 | 1 9",
			"engram:2": "learned 2026-05-01 | Soak before the peak | Ten minutes even the heat out. | tags personal |" +
				" session n1 | 1 7",
			"engram:session-n1": "context 2026-05-01 | The cones were fired twice and agreed |  | tags session-summary |" +
				" session n1 | 1 5",
		}},
		"events.db": {"*", map[string]string{
			"event:u1": "decision 2026-02-14 | Chose SQLite over PostgreSQL: it needs no set-up |  | session s5 |" +
				" branch main | 0.95 9",
			"event:u2": "rejected 2026-02-14 | Rejected JSON files: they do not scale |  | session s5 | branch main" +
				" | 0.8 9",
		}},
	} {
		w := workspacetest.New(t)
		opt := StoreOptions{Name: filepath.Join("testdata", name), Project: c.project, DryRun: true}
		out, err := Store(t.Context(), w, opt)
		others := map[string]int{ // what is said of other projects, and of what is gone
			"claude-mem.db": 1, "engram.db": 2, "plugin.db": 1, "events.db": 1,
		}[name]
		if err != nil || out.Added != len(c.want) || len(out.Skipped) != 0 || len(out.Notes) != others {
			t.Errorf("%s, dry: %+v %v", name, out, err)
		}
		if got := lookOf(t, w); len(got) != 0 {
			t.Errorf("%s: a dry run wrote %v", name, got)
		}
		opt.DryRun = false
		if out, err = Store(t.Context(), w, opt); err != nil || out.Added != len(c.want) {
			t.Errorf("%s: %+v %v", name, out, err)
		}
		if diff := cmp.Diff(c.want, lookOf(t, w)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if out, err = Store(t.Context(), w, opt); err != nil || out.Added != 0 || out.Known != len(c.want) {
			t.Errorf("%s, again: %+v %v", name, out, err)
		}
	}
}

// TestStoreJSON: events as JSON are those of the database.
func TestStoreJSON(t *testing.T) {
	const list = `[{"id": "u1", "session_id": "s5", "project": "/home/me/kiln", "git_branch": "main", "type": "DECISION_MADE",
		"content": "Chose SQLite over PostgreSQL: it needs no set-up.", "salience": 0.9, "confidence": 0.95, "created_at": "2026-02-14T21:00:00+00:00"},
		{"id": "u3", "type": "COMMAND_RUN", "content": "go test ./..."}]`
	for _, text := range []string{list, `{"version": 1, "events": ` + list + `}`, "\ufeff" + list} {
		w := workspacetest.New(t)
		name := filepath.Join(t.TempDir(), "events.json")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if out, err := Store(t.Context(), w, StoreOptions{Name: name, Project: "*"}); err != nil || out.Added != 1 {
			t.Errorf("%+v %v", out, err)
		}
		want := map[string]string{"event:u1": "decision 2026-02-14 | Chose SQLite over PostgreSQL: it needs no" +
			" set-up |  | session s5 | branch main | 0.95 9"}
		if diff := cmp.Diff(want, lookOf(t, w)); diff != "" {
			t.Error(diff)
		}
	}
}

// TestStoreExport: an export of engram is what its database holds.
func TestStoreExport(t *testing.T) {
	w := workspacetest.New(t)
	name := filepath.Join(t.TempDir(), "export.json")
	const text = `{"version": "0.1.0", "sessions": [{"id": "n1", "project": "kiln", "started_at": "2026-05-01 08:00:00",
		"summary": "The cones agreed."}, {"id": "n2", "project": "kiln"}], "observations": [{"id": 1, "session_id": "n1",
		"type": "decision", "title": "Fire to cone 6", "content": "Cone 10 bends the shelves.", "project": "kiln",
		"scope": "project", "created_at": "2026-05-01 09:00:00"}, {"id": 2, "session_id": "n1", "type": "passive",
		"title": "Cones of one box ...", "content": "Cones of one box bend alike", "project": "kiln"}, {"id": 3,
		"session_id": "n1", "type": "session_summary", "title": "Session summary: kiln", "project": "kiln",
		"content": "**Where**: kiln/fire.c, the shed, ROOT/kiln/cone.c, /etc/kiln.conf\n**Learned**: wait"}],
		"prompts": [{"id": 1, "content": "Fire it"}]}`
	root := strings.NewReplacer("ROOT", filepath.ToSlash(w.Repo.Root))
	if err := os.WriteFile(name, []byte(root.Replace(text)), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := Store(t.Context(), w, StoreOptions{Name: name, Project: "kiln"}); err != nil || out.Added != 4 {
		t.Errorf("%+v %v", out, err)
	}
	want := map[string]string{
		"engram:2": "learned 2026-11-20 | Cones of one box bend alike |  | session n1 | 1 7",
		"engram:3": root.Replace("context 2026-11-20 | Session summary: kiln | **Where**: kiln/fire.c, the shed," +
			" ROOT/kiln/cone.c, /etc/kiln.conf⏎**Learned**: wait | files kiln/fire.c kiln/cone.c | session n1 | 1 5"),
		"engram:1":          "decision 2026-05-01 | Fire to cone 6 | Cone 10 bends the shelves. | session n1 | 1 9",
		"engram:session-n1": "context 2026-05-01 | The cones agreed |  | tags session-summary | session n1 | 1 5",
	}
	if diff := cmp.Diff(want, lookOf(t, w)); diff != "" {
		t.Error(diff)
	}
}

// TestBeads: an issue becomes one memory with all that its parts say.
func TestBeads(t *testing.T) {
	w := workspacetest.New(t)
	const lines = `{"id":"kiln-1","title":"The relay sticks","description":"Above 1,200 degrees.","design":"A snubber.","acceptance_criteria":"It opens.","notes":"Seen twice.","status":"closed","issue_type":"bug","created_at":"2026-04-01T10:00:00Z","close_reason":"Snubber fitted","labels":["relay"],"comments":[{"author":"ann","text":"100 ohm will do"}]}
{"id":"kiln-2","title":"Log to CSV","description":"","status":"open","issue_type":"task","created_at":"2026-04-02T10:00:00Z","dependencies":[{"issue_id":"kiln-2","depends_on_id":"kiln-1","type":"blocks"},{"issue_id":"kiln-2","depends_on_id":"kiln-9","type":"related"}]}

{"id":"kiln-3","title":"Deleted","status":"tombstone","issue_type":"task","created_at":"2026-04-03T10:00:00Z"}
not an issue
{"_type":"issue","id":"kiln-4","title":"Log to a table","status":"closed","issue_type":"decision","created_at":"2026-04-04T10:00:00Z","dependencies":[{"issue_id":"kiln-4","depends_on_id":"kiln-2","type":"supersedes"},{"issue_id":"kiln-4","depends_on_id":"kiln-8","type":"supersedes"}]}
{"_type":"memory","key":"relay","value":"The relay opens at 24 V, never at 12"}
{"_type":"memory","key":"cones","value":"Cones of one box bend alike"}
{"_type":"header","version":1}
`
	in := func() Input { return Input{Name: "issues.jsonl", Lines: strings.NewReader(lines)} }
	out, err := Beads(t.Context(), w, in())
	if err != nil || out.Added != 5 || len(out.Skipped) != 2 || out.Skipped[0].Line != 5 || len(out.Notes) != 1 {
		t.Fatalf("%+v %v", out, err)
	}
	want := map[string]string{
		"beads:kiln-1": "fix 2026-04-01 | The relay sticks | Above 1,200 degrees.⏎⏎## Design⏎⏎A snubber.⏎⏎## Acceptance" +
			" criteria⏎⏎It opens.⏎⏎## Notes⏎⏎Seen twice.⏎⏎## Comment of ann⏎⏎100 ohm will do⏎⏎## Closed⏎⏎Snubber fitted |" +
			" tags relay | 1 7",
		"beads:kiln-2": "plan 2026-04-02 | Log to CSV |  | builds_on beads:kiln-1 | supersedes beads:kiln-4 | 1 8",
		"beads:kiln-4": "decision 2026-04-04 | Log to a table |  | 1 9",
		// bd remember
		"beads:memory-cones": "learned 2026-11-20 | Cones of one box bend alike |  | 1 7",
		"beads:memory-relay": "learned 2026-11-20 | The relay opens at 24 V, never at 12 |  | 1 7",
	}
	if diff := cmp.Diff(want, lookOf(t, w)); diff != "" {
		t.Error(diff)
	}
	if out, err = Beads(t.Context(), w, in()); err != nil || out.Added != 0 || out.Known != 5 {
		t.Errorf("again: %+v %v", out, err)
	}
}

// TestStoreProjects: of a store of several projects, that of the repository is taken.
func TestStoreProjects(t *testing.T) {
	needsSQLite(t)
	w := workspacetest.New(t)
	_, err := Store(t.Context(), w, StoreOptions{Name: "testdata/claude-mem.db"})
	var projects *ProjectsError
	if !errors.As(err, &projects) || !slices.Equal(projects.Projects, []string{"kiln", "loom"}) {
		t.Fatal(err)
	}
	if err := (&ProjectsError{[]string{"kiln\nhint: all is well"}}); strings.Contains(err.Error(), "\n") {
		t.Errorf("a name makes a line of its own: %v", err)
	}
	kiln := filepath.Join(t.TempDir(), "kiln")
	if err := os.Rename(w.Repo.Root, kiln); err != nil {
		t.Fatal(err)
	}
	w = workspacetest.Open(t, kiln)
	out, err := Store(t.Context(), w, StoreOptions{Name: "testdata/claude-mem.db"})
	if err != nil || out.Added != 4 {
		t.Errorf("%+v %v", out, err)
	}
	const want = `records of other projects left out: 1, of "loom"`
	if !slices.ContainsFunc(out.Notes, func(p index.Problem) bool { return p.Text == want }) {
		t.Errorf("%+v, want %q", out.Notes, want)
	}
}

// TestStoreRefuses: what cannot be read is an error that says why, and nothing is written.
func TestStoreRefuses(t *testing.T) {
	w := workspacetest.New(t)
	file := func(name, text string) string {
		name = filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for name, want := range map[string]error{
		file("encrypted.db", strings.Repeat("\x93\x11\xfe\x02", 3000)): errNotDatabase,
		file("events.json", "{}"):                                      ErrNothing,
		file("empty", ""):                                              errEmptyFile,
		filepath.Join(t.TempDir(), "none"):                             os.ErrNotExist,
		database(t, "CREATE TABLE ideas (id, idea)"):                   ErrNoStore,
	} {
		if _, err := Store(t.Context(), w, StoreOptions{Name: name, Project: "*"}); !errors.Is(err, want) {
			t.Errorf("%s: %v", filepath.Base(name), err)
		}
	}
	if got := lookOf(t, w); len(got) != 0 {
		t.Error(got)
	}
}

// needsSQLite skips a test where the program that reads databases is missing.
func needsSQLite(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("sqlite3"); err != nil {
		t.Skip("sqlite3 is not installed")
	}
}

// database returns a store that sql makes.
func database(t *testing.T, sql string) string {
	t.Helper()
	needsSQLite(t)
	name := filepath.Join(t.TempDir(), "store.db")
	if out, err := exec.Command("sqlite3", name, sql).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	return name
}

// ideas returns a store of n ideas.
func ideas(t *testing.T, n int) string {
	t.Helper()
	return database(t, fmt.Sprintf(`CREATE TABLE ideas (id TEXT, content TEXT, intent TEXT, created_at TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
INSERT INTO ideas SELECT i, printf('Sensor %%d reads %%d degrees too much when its cable is longer than %%d metres.', i, i %% 7, i %% 31),
	'conclusion', '2026-02-01 10:00:00' FROM n;`, n))
}

// TestStoreLarge reads 100,000 rows into memories, without writing them.
func TestStoreLarge(t *testing.T) {
	n := 3000
	if testrun.Full() {
		n = 100_000
	}
	out, err := Store(t.Context(), workspacetest.New(t), StoreOptions{Name: ideas(t, n), DryRun: true})
	if err != nil || out.Added != n || len(out.Skipped)+len(out.Notes) != 0 {
		t.Errorf("%+v %v", out, err)
	}
}

// TestStoreMany: an import that is cut short goes on where it ended. In a nightly run it
// has 100,000 rows.
func TestStoreMany(t *testing.T) {
	n := 2*batchSize + 100
	if testrun.Nightly() {
		n = 100_000
	}
	w := workspacetest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	heard := 0
	opt := StoreOptions{Name: ideas(t, n), Progress: func(read, total int64, _ int) {
		if total != int64(n) || read > total {
			t.Errorf("%d of %d", read, total)
		}
		if heard++; heard == 2 {
			cancel()
		}
	}}
	first, err := Store(ctx, w, opt)
	if !errors.Is(err, context.Canceled) || first.Added != 2*batchSize ||
		!strings.Contains(err.Error(), "import again to go on") {
		t.Fatalf("%+v %v", first, err)
	}
	opt.Progress = nil
	w = workspacetest.Open(t, w.Repo.Root)
	if out, err := Store(t.Context(), w, opt); err != nil || out.Known != first.Added || out.Added != n-first.Added {
		t.Errorf("%+v %v", out, err)
	}
}

func TestBasicMemory(t *testing.T) {
	w := workspacetest.New(t)
	dir := fstest.MapFS{
		"kiln/firing.md": {Data: []byte("---\ntitle: Firing\ntype: note\ntags: [kiln, heat]\npermalink:" +
			" kiln/firing\ncreated: 2026-03-04T05:06:07Z\n---\n\n# Firing\n\nAt night.\n\n## Observations\n-" +
			" [decision] Cones, not thermocouples #measure (they agree with the clay)\n- [method] Slowly to" +
			" 600\n\n## Relations\n- builds_on [[Glazes]]\n- inspired by [[Nobody]]\n")},
		"glazes.md":      {Data: []byte("---\ntitle: Glazes\ntags: ash\n---\nWood ash.\n")},
		"facts.md":       {Data: []byte("# facts\n\n## Observations\n- [gotcha] Cobalt runs\n")},
		"bad.md":         {Data: []byte("---\ntitle: [\n---\nx\n")},
		".obsidian/a.md": {Data: []byte("no note")},
	}
	out, err := BasicMemory(t.Context(), w, dir, false)
	if err != nil || out.Added != 4 || len(out.Skipped) != 1 || out.Skipped[0].Path != "bad.md" {
		t.Fatalf("%+v %v", out, err)
	}
	want := map[string]string{
		"basic-memory:kiln/firing": "context 2026-03-04 | Firing | At night.⏎⏎## Observations⏎- [method] Slowly to" +
			" 600⏎⏎## Relations⏎- builds_on [[Glazes]]⏎- inspired by [[Nobody]] | tags kiln heat | builds_on" +
			" basic-memory:glazes | 1 5",
		"basic-memory:kiln/firing#cones-not-thermocouples-they-agree-with-the-clay": "decision 2026-03-04 | Cones," +
			" not thermocouples (they agree with the clay) |  | tags measure | derived_from" +
			" basic-memory:kiln/firing | 1 9",
		"basic-memory:glazes":            "context 2026-11-20 | Glazes | Wood ash. | tags ash | 1 5",
		"basic-memory:facts#cobalt-runs": "gotcha 2026-11-20 | Cobalt runs |  | 1 7",
	}
	got := lookOf(t, w)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
		t.Fatal(diff)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if out, err := BasicMemory(t.Context(), w, dir, false); err != nil || out.Known != 4 || out.Added != 0 {
		t.Errorf("again: %+v %v", out, err)
	}
}

// TestAgentNotes: the files that Claude Code writes for itself.
func TestAgentNotes(t *testing.T) {
	w := workspacetest.New(t)
	dir := fstest.MapFS{
		"MEMORY.md": {Data: []byte("# Memory\n\n- [Tests first](feedback_tests.md): how to work\n")},
		"feedback_tests.md": {Data: []byte("---\nname: tests-first\ndescription: Tests come before code\ntype:" +
			" feedback\n---\n\nWrite the failing test first.\n")},
		"debugging.md": {Data: []byte("# Debugging\n\n## Serial line\n\nThe adapter needs 3.3 V.\n")},
		"decisions/use-utc.md": {Data: []byte("---\ntitle: Use UTC\ntype: decision\nsources:\n  - log/clock.c\n" +
			"  - url: https://example.org/utc\n---\n# Use UTC\n\nLocal time jumps.\n")},
	}
	if out, err := NotesFolder(t.Context(), w, dir, false); err != nil || out.Added != 3 {
		t.Fatalf("%+v %v", out, err)
	}
	want := map[string]string{
		"notes:feedback_tests.md": "preference 2026-11-20 | Tests come before code | Write the failing test" +
			" first. | 1 8",
		"notes:decisions/use-utc.md": "decision 2026-11-20 | Use UTC | Local time jumps.⏎⏎Sources: log/clock.c," +
			" https://example.org/utc | files log/clock.c | 1 9",
		"notes:debugging.md#Serial line": "context 2026-11-20 | Serial line | The adapter needs 3.3 V. | 1 5",
	}
	if diff := cmp.Diff(want, lookOf(t, w)); diff != "" {
		t.Error(diff)
	}
}
