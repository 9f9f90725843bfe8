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
	"github.com/git-cortex/cortex/memory"
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
	s, projects, err := storeOf(ctx, db)
	if err != nil {
		return Result{}, fmt.Errorf("reading %s: %w", opt.Name, err)
	}
	if err := s.only(w, projects, opt.Project); err != nil {
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

// storeOf recognises a store by its tables. Projects says how many of its records are of each.
func storeOf(ctx context.Context, db *sqliteDB) (s *stream, projects map[string]int, err error) {
	switch {
	case db.Has("observations", "id", "type", "title", "narrative"):
		s = claudeMem(ctx, db)
	case db.Has("observations", "id", "type", "title", "content"):
		s = engramStore(ctx, db)
	case db.Has("ideas", "id", "content", "intent"):
		s, err = graphStore(ctx, db)
	case db.Has("memories", "id", "content", "memory_type"):
		s, err = pluginStore(ctx, db)
	case db.Has("events", "id", "type", "content"):
		s = eventStore(ctx, db)
	default:
		return nil, nil, ErrNoStore
	}
	if err != nil {
		return nil, nil, err
	}
	projects = map[string]int{}
	err = s.each(func(r record) error {
		projects[r.project]++
		s.total++
		return nil
	})
	return s, projects, err
}

// only leaves in a stream the records of one project, and says which others it holds.
func (s *stream) only(w *workspace.Workspace, projects map[string]int, name string) error {
	if name == "*" {
		return nil
	}
	base := filepath.Base(w.Repo.Root)
	mine := func(project string) bool {
		if name != "" {
			return project == name
		}
		return project == "" || project == base || filepath.Clean(project) == filepath.Clean(w.Repo.Root)
	}
	others := lists.Without(slices.Sorted(maps.Keys(projects)), mine)
	if len(others) > 0 && len(others) == len(projects) {
		return &ProjectsError{others}
	}
	left := 0
	for _, project := range others {
		left += projects[project]
	}
	if len(others) > 0 {
		s.said = append(s.said, index.Problem{Text: fmt.Sprintf("records of other projects left out: %d, of %s", left,
			someOf(others))})
	}
	each := s.each
	s.each = func(yield func(record) error) error {
		return each(func(r record) error {
			if !mine(r.project) {
				return nil
			}
			return yield(r)
		})
	}
	return nil
}

// rows makes a stream of a table.
func rows(ctx context.Context, db *sqliteDB, table string,
	as func(sqliteRow) (r record, ok bool),
) func(func(record) error) error {
	return func(yield func(record) error) error {
		return db.Rows(ctx, table, func(row sqliteRow) error {
			r, ok := as(row)
			if !ok {
				return nil
			}
			return yield(r)
		})
	}
}

// eventOnly reports whether events of a type say what was done in a session, and nothing
// that is worth a memory.
func eventOnly(kind string) bool {
	return slices.Contains([]string{"FILE_MODIFIED", "FILE_EXPLORED", "COMMAND_RUN"}, strings.ToUpper(kind))
}

// eventStore reads the events of an event-sourced memory.
func eventStore(ctx context.Context, db *sqliteDB) *stream {
	return &stream{each: rows(ctx, db, "events", func(row sqliteRow) (record, bool) {
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

// record makes a record of an event; ok is false for what belongs to a session alone.
func (e event) record() (r record, ok bool) {
	r = said("event:"+e.ID, e.Content)
	r.Type, r.Date, r.session, r.branch, r.project = e.Type, dateOf(e.Created), e.Session, e.Branch, e.Project
	r.confidence, r.priority = e.Confidence, int(math.Round(10*e.Salience))
	return r, !eventOnly(e.Type) && strings.TrimSpace(e.Content) != ""
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
		rel, err := memory.ParseRel(row.Text("relation_type"))
		if err != nil {
			rel = memory.RelatesTo
		}
		source := prefix + row.Text(from)
		links[source] = append(links[source], refLink{rel, prefix + row.Text(to)})
		return nil
	})
	return links, err
}

// pluginStore reads the memories and edges of a memory plugin. What it had pruned is
// passed over.
func pluginStore(ctx context.Context, db *sqliteDB) (*stream, error) {
	links, err := linksOf(ctx, db, "edges", "source_id", "target_id", "memory:")
	return &stream{each: rows(ctx, db, "memories", func(row sqliteRow) (record, bool) {
		r := named("memory:"+row.Text("id"), row.Text("summary"), row.Text("content"))
		if strings.TrimSuffix(r.Title, ".") == strings.TrimSuffix(r.Text, ".") {
			r.Text = ""
		}
		r.Type, r.Date, r.tags = row.Text("memory_type"), dateOf(row.Text("created_at")), words(row.Text("tags"))
		r.session, r.links = row.Text("source_session"), links[refText(&r)]
		r.confidence, _ = row.Number("confidence")
		priority, _ := row.Number("priority")
		pinned, _ := row.Number("pinned")
		r.priority, r.pinned = int(priority), pinned != 0
		return r, row.Text("status") != "pruned"
	})}, err
}

// graphStore reads the ideas of a memory graph, with their sessions, entities and
// relations.
func graphStore(ctx context.Context, db *sqliteDB) (*stream, error) {
	links, err := linksOf(ctx, db, "relations", "from_id", "to_id", "idea:")
	if err != nil {
		return nil, err
	}
	sessions, err := column(ctx, db, "spans", "session")
	if err != nil {
		return nil, err
	}
	names, err := column(ctx, db, "entities", "name")
	if err != nil {
		return nil, err
	}
	kinds, err := column(ctx, db, "entities", "type")
	if err != nil {
		return nil, err
	}
	of := map[string][]string{} // an idea, to its entities
	if db.Has("idea_entities", "idea_id", "entity_id") {
		err = db.Rows(ctx, "idea_entities", func(row sqliteRow) error {
			idea := row.Text("idea_id")
			of[idea] = append(of[idea], row.Text("entity_id"))
			return nil
		})
	}
	return &stream{each: rows(ctx, db, "ideas", func(row sqliteRow) (record, bool) {
		id := row.Text("id")
		r := said("idea:"+id, row.Text("content"))
		r.links = links["idea:"+id]
		r.Type, r.Date, r.session = row.Text("intent"), dateOf(row.Text("created_at")), sessions[row.Text("span_id")]
		r.confidence, _ = row.Number("confidence")
		for _, entity := range of[id] {
			if kinds[entity] == "file" {
				r.files = append(r.files, names[entity])
			} else {
				r.entities = append(r.entities, names[entity])
			}
		}
		return r, strings.TrimSpace(row.Text("content")) != ""
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
