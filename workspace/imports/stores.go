package imports

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
)

// StoreOptions say what to import from a store that programs of others keep.
type StoreOptions struct {
	Name     string // the file
	Project  string // of those in the store; "" is that of this repository, "*" all
	DryRun   bool
	Progress func(read, total int64, documents int) // may be nil
}

// ErrNoStore is a file that no known program keeps its memories in.
var ErrNoStore = errors.New("no store that is known: claude-mem, engram, or events, memories or ideas of a memory " +
	"program, as SQLite or JSON")

// ProjectsError is a store of several projects, none of which is this repository.
type ProjectsError struct{ Projects []string }

func (e *ProjectsError) Error() string {
	return "the store holds no project of this repository's name or folder, but " + someOf(e.Projects)
}

// someOf are the first names of a list, and how many more there are.
func someOf(all []string) string {
	const most = 10
	names := lists.Map(lists.First(all, most), strconv.Quote)
	if more := len(all) - most; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// Hint says how to choose one.
func (e *ProjectsError) Hint() string {
	return "choose one with --project NAME, or all with --project '*'"
}

// Store imports a store of another memory program: an SQLite database of claude-mem, of
// engram, of an event-sourced memory (events), of a memory plugin (memories and edges) or of
// a memory graph (ideas, spans and relations), or events or an export of engram as JSON. Ids are kept as source.ref,
// with sessions, branches, dates, files and links.
func Store(ctx context.Context, w *workspace.Workspace, opt StoreOptions) (Result, error) {
	in := Input{Name: opt.Name, DryRun: opt.DryRun, Progress: opt.Progress}
	isJSON, err := looksLikeJSON(opt.Name)
	if err != nil {
		return Result{}, err
	}
	if isJSON {
		return storeJSON(ctx, w, opt, in)
	}
	db, err := openSQLite(ctx, opt.Name)
	if err != nil {
		return Result{}, err
	}
	s, err := storeOf(ctx, db)
	if err != nil {
		return Result{}, fmt.Errorf("reading %s: %w", opt.Name, err)
	}
	if err := s.only(w, opt.Project); err != nil {
		return Result{}, err
	}
	return s.take(ctx, w, in, in.byRef)
}

// looksLikeJSON reports whether a store begins as JSON does.
func looksLikeJSON(name string) (bool, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, &missingError{name, err}
	}
	if err != nil {
		return false, fmt.Errorf("reading the store: %w", err)
	}
	if !info.Mode().IsRegular() {
		return false, fmt.Errorf("%s is not a file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return false, fmt.Errorf("reading the store: %w", err)
	}
	defer f.Close()
	first := make([]byte, 1)
	_, err = io.ReadFull(f, first)
	return err == nil && strings.IndexByte("{[ \n\xef", first[0]) >= 0, nil
}

// missingError is a store that is not there.
type missingError struct {
	name string
	err  error
}

func (e *missingError) Error() string { return "there is no file " + e.name }
func (e *missingError) Unwrap() error { return e.err }

// storeOf recognises a store by its tables.
func storeOf(ctx context.Context, db *sqliteDB) (*stream, error) {
	switch {
	case db.Has("observations", "id", "type", "title", "narrative"):
		return claudeMem(ctx, db), nil
	case db.Has("observations", "id", "type", "title", "content"):
		return engramStore(ctx, db), nil
	case db.Has("ideas", "id", "content", "intent"):
		return graphStore(ctx, db)
	case db.Has("memories", "id", "content", "memory_type"):
		return pluginStore(ctx, db)
	case db.Has("events", "id", "type", "content"):
		return eventStore(ctx, db), nil
	}
	return nil, ErrNoStore
}

// only leaves in a stream the records of one project that are not gone, and says how many it leaves out.
func (s *stream) only(w *workspace.Workspace, name string) error {
	base := filepath.Base(w.Repo.Root)
	mine := func(project string) bool {
		switch name {
		case "*":
			return true
		case "":
			return slices.Contains([]string{".", base, filepath.Clean(w.Repo.Root)}, filepath.Clean(project))
		}
		return project == name
	}
	each, others, gone := s.each, map[string]int{}, map[bool]int{}
	left := 0
	s.total = 0
	if err := each(func(r record) error {
		switch {
		case r.gone:
			gone[mine(r.project)]++
		case mine(r.project):
			s.total++
		default:
			left++
			others[r.project]++
		}
		return nil
	}); err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(others))
	switch {
	case left == 0:
	case s.total+gone[true] == 0:
		return &ProjectsError{names}
	default:
		s.say("records of other projects left out: %d, of %s", left, someOf(names))
	}
	if gone[true] > 0 {
		s.say("records left out that were deleted or hold nothing to remember: %d", gone[true])
	}
	s.each = func(yield func(record) error) error {
		return each(func(r record) error {
			if r.gone || !mine(r.project) {
				return nil
			}
			return yield(r)
		})
	}
	return nil
}

// say notes something about the source as a whole.
func (s *stream) say(format string, args ...any) {
	s.said = append(s.said, index.Problem{Text: fmt.Sprintf(format, args...)})
}

// rows makes a stream of a table.
func rows(ctx context.Context, db *sqliteDB, table string, as func(sqliteRow) record) func(func(record) error) error {
	return func(yield func(record) error) error {
		return db.Rows(ctx, table, func(row sqliteRow) error { return yield(as(row)) })
	}
}

// eventOnly reports whether events of a type say what was done in a session, and nothing
// that is worth a memory.
func eventOnly(kind string) bool {
	return slices.Contains([]string{"FILE_MODIFIED", "FILE_EXPLORED", "COMMAND_RUN"}, strings.ToUpper(kind))
}

// eventStore reads the events of an event-sourced memory.
func eventStore(ctx context.Context, db *sqliteDB) *stream {
	return &stream{each: rows(ctx, db, "events", func(row sqliteRow) record {
		number := func(name string) float64 { x, _ := row.Number(name); return x }
		return event{
			ID: row.Text("id"), Type: row.Text("type"), Content: row.Text("content"), Session: row.Text("session_id"),
			Project:    row.Text("project"),
			Branch:     cmp.Or(row.Text("git_branch"), row.Text("branch")),
			Created:    cmp.Or(row.Text("created_at"), row.Text("timestamp")),
			Confidence: number("confidence"), Salience: number("salience"),
		}.record()
	})}
}

// event is one event of an event-sourced memory.
type event struct {
	ID         string  `json:"id"`
	Type       string  `json:"type"`
	Content    string  `json:"content"`
	Session    string  `json:"session_id"`
	Project    string  `json:"project"`
	Branch     string  `json:"git_branch"`
	Created    string  `json:"created_at"`
	Confidence float64 `json:"confidence"`
	Salience   float64 `json:"salience"`
}

// record makes a record of an event. What belongs to a session alone is gone with it.
func (e event) record() record {
	r := said("event:"+e.ID, e.Content)
	r.Type, r.Date, r.session, r.branch, r.project = e.Type, dateOf(e.Created), e.Session, e.Branch, e.Project
	r.confidence, r.priority = e.Confidence, int(math.Round(10*e.Salience))
	r.gone = eventOnly(e.Type) || strings.TrimSpace(e.Content) == ""
	return r
}

// dateOf is a date as other stores write it: the time without a fraction that no layout
// here reads, or seconds or milliseconds since 1970.
func dateOf(text string) string {
	if at := strings.IndexByte(text, '.'); at == len("2026-11-01T10:00:00") {
		end := at + 1
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		return text[:at] + text[end:]
	}
	return text
}

// linksOf reads a table of edges. The ids of its ends get the prefix of those of records.
func linksOf(ctx context.Context, db *sqliteDB, table, from, to, prefix string) (map[string][]refLink, error) {
	links := map[string][]refLink{}
	if !db.Has(table, from, to, "relation_type") {
		return links, nil
	}
	err := db.Rows(ctx, table, func(row sqliteRow) error {
		source := prefix + row.Text(from)
		links[source] = append(links[source], refLink{relOf(row.Text("relation_type")), prefix + row.Text(to)})
		return nil
	})
	return links, err
}

// pluginStore reads the memories and edges of a memory plugin. What it had pruned is gone.
func pluginStore(ctx context.Context, db *sqliteDB) (*stream, error) {
	links, err := linksOf(ctx, db, "edges", "source_id", "target_id", "memory:")
	return &stream{each: rows(ctx, db, "memories", func(row sqliteRow) record {
		r := named("memory:"+row.Text("id"), row.Text("summary"), row.Text("content"))
		if strings.TrimSuffix(r.Title, ".") == strings.TrimSuffix(r.Text, ".") {
			r.Text = ""
		}
		r.Type, r.Date, r.tags = row.Text("memory_type"), dateOf(row.Text("created_at")), words(row.Text("tags"))
		r.session, r.links = row.Text("source_session"), links[refText(&r)]
		r.confidence, _ = row.Number("confidence")
		priority, _ := row.Number("priority")
		pinned, _ := row.Number("pinned")
		r.priority, r.pinned, r.gone = int(priority), pinned != 0, row.Text("status") == "pruned"
		return r
	})}, err
}

// graphStore reads the ideas of a memory graph, with their sessions, entities and
// relations.
func graphStore(ctx context.Context, db *sqliteDB) (*stream, error) {
	links, err := linksOf(ctx, db, "relations", "from_id", "to_id", "idea:")
	sessions, inSpans := column(ctx, db, "spans", "session")
	names, inNames := column(ctx, db, "entities", "name")
	kinds, inKinds := column(ctx, db, "entities", "type")
	err = errors.Join(err, inSpans, inNames, inKinds)
	of := map[string][]string{} // an idea, to its entities
	if err == nil && db.Has("idea_entities", "idea_id", "entity_id") {
		err = db.Rows(ctx, "idea_entities", func(row sqliteRow) error {
			idea := row.Text("idea_id")
			of[idea] = append(of[idea], row.Text("entity_id"))
			return nil
		})
	}
	return &stream{each: rows(ctx, db, "ideas", func(row sqliteRow) record {
		id := row.Text("id")
		r := said("idea:"+id, row.Text("content"))
		r.links, r.gone = links["idea:"+id], strings.TrimSpace(row.Text("content")) == ""
		r.Type, r.Date, r.session = row.Text("intent"), dateOf(row.Text("created_at")), sessions[row.Text("span_id")]
		r.confidence, _ = row.Number("confidence")
		for _, entity := range of[id] {
			if kinds[entity] == "file" {
				r.files = append(r.files, names[entity])
			} else {
				r.entities = append(r.entities, names[entity])
			}
		}
		return r
	})}, err
}

// column is one column of a table by the id of the row; empty where there is none.
func column(ctx context.Context, db *sqliteDB, table, name string) (map[string]string, error) {
	out := map[string]string{}
	if !db.Has(table, "id", name) {
		return out, nil
	}
	err := db.Rows(ctx, table, func(row sqliteRow) error {
		out[row.Text("id")] = row.Text(name)
		return nil
	})
	return out, err
}
