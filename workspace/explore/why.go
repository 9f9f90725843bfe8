package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/jsontext"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// Place is a file or folder of the repository, or lines of a file.
type Place struct {
	Path        string // relative to the working tree, with slashes
	First, Last int    // of the lines, from 1; 0 for the whole
}

// Causes are the memories behind a place.
type Causes struct {
	Place    Place
	Commits  []Wrote // that wrote the lines, in their order; of a whole file the newest that changed it
	Causes   []Cause // best first
	View     workspace.ViewShape
	Together []*Coupled // files that changed together with it
	Map      *Map       // what sessions read that read in its folder; nil for none
	Unknown  string     // why nothing is known of the history, "" if it is
}

// Wrote is a commit, and the lines that it wrote: none for a whole file.
type Wrote struct {
	Commit string   `json:"commit"` // "" for lines that are not committed yet
	Time   string   `json:"time,omitempty"`
	Author string   `json:"author,omitempty"`
	Title  string   `json:"subject,omitempty"`
	Lines  [][2]int `json:"lines"`
}

// ReasonKind says how a memory is tied to a place.
type ReasonKind string

// Kinds of reasons, strongest first.
const (
	CameWith ReasonKind = "came_with" // its file was added by a commit that wrote the place
	About    ReasonKind = "about"     // it is about this file
	Learned  ReasonKind = "learned"   // where such a commit was about to be made
	Names    ReasonKind = "names"     // it names what stands on these lines
	After    ReasonKind = "after"     // learned where such a commit was the newest
	Session  ReasonKind = "session"   // of the session of another that has a reason
)

// weights of reasons. What is about the file and came with the lines stands before what
// has one of both; a session alone says least.
func (k ReasonKind) weight() float64 {
	return map[ReasonKind]float64{CameWith: 2, About: 1.5, Learned: 1, Names: 0.75, After: 0.5, Session: 0.25}[k]
}

// Reason is one tie of a memory to a place.
type Reason struct {
	Kind   ReasonKind `json:"kind"`
	Commit string     `json:"commit,omitempty"` // of CameWith, Learned and After; "" for what is not committed yet
	Path   string     `json:"path,omitempty"`   // of About: the file, or the name it had
	Name   string     `json:"name,omitempty"`   // of Names
}

// Cause is a memory behind a place, and why it is one.
type Cause struct {
	Entry   workspace.Entry
	Score   float64
	Reasons []Reason
	Removed []Removal // what it relies on that is gone
}

// Tied reports whether a memory is about the place itself, or names what stands there. What shares only
// a commit or a session with the place may be about something else, and comes after it.
func (c *Cause) Tied() bool { return c.tied() > 0 }

func (c *Cause) tied() int {
	strong := []ReasonKind{About, Names}
	return len(lists.Where(c.Reasons, func(r Reason) bool { return slices.Contains(strong, r.Kind) }))
}

// maxHistory bounds the commits of a whole file or folder that are looked at.
const maxHistory = 50

// Why finds the memories behind a place, at most limit (0: all): those about the file
// under any of its names, and those that were learned where the commits were made that
// wrote it, by the commit they came with and the commit that was checked out when they
// were learned. All that is read travels with the repository, so a clone that never saw
// a session answers too.
func Why(ctx context.Context, w *workspace.Workspace, at Place, limit int, opt workspace.ViewOptions) (*Causes, error) {
	v, err := w.View(ctx, opt)
	if err != nil {
		return nil, err
	}
	s := &search{
		out:   &Causes{Place: at, Causes: []Cause{}, Commits: []Wrote{}, View: v.Shape()},
		names: []string{at.Path},
	}
	rev := opt.Branch
	if opt.At != "" {
		if rev, err = w.Views.Revision(ctx, opt.At, false); err != nil {
			return nil, err
		}
	}
	if err := s.history(ctx, w, rev); err != nil {
		return nil, err
	}
	if err := s.made(ctx, w); err != nil {
		return nil, err
	}
	if err := s.around(ctx, w, rev); err != nil {
		return nil, err
	}
	s.collect(v.List(ctx, workspace.ListOptions{TextLess: true}))
	lists.Sort(s.out.Causes, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(b.tied(), a.tied()), cmp.Compare(b.Score, a.Score),
			cmp.Compare(b.Entry.Prior, a.Entry.Prior))
	})
	found := lists.First(s.out.Causes, limit)
	for i := range found { // whether the code has changed is looked at for what is shown
		if e, err := v.Entry(ctx, found[i].Entry.Item); err == nil {
			found[i].Entry = e
		}
		found[i].Removed = removalsOf(ctx, w, found[i].Entry.Memory)
	}
	s.out.Causes = found
	return s.out, nil
}

// search is one run of [Why].
type search struct {
	out     *Causes
	names   []string                            // of the file, the present one first
	commits []gitops.ObjectID                   // that wrote the place
	came    map[string]gitops.ObjectID          // file names of memories, to the commit they came with
	on      map[gitops.ObjectID]gitops.ObjectID // what such a commit was made on, to it
	words   map[string]bool                     // names that stand on the lines
	head    string                              // what is checked out, where lines are not committed

	learnedAt map[string]int // how many memories were learned at a commit
}

// history finds the commits that wrote the place.
func (s *search) history(ctx context.Context, w *workspace.Workspace, rev string) error {
	at, past := s.out.Place, w.Repo.History()
	add := func(c gitops.Commit, lines ...[2]int) {
		i := slices.IndexFunc(s.out.Commits, func(w Wrote) bool { return w.Commit == string(c.ID) })
		if i >= 0 {
			s.out.Commits[i].Lines = append(s.out.Commits[i].Lines, lines...)
			return
		}
		wrote := Wrote{Commit: string(c.ID), Lines: append([][2]int{}, lines...)}
		if c.ID != "" {
			wrote.Time, wrote.Author, wrote.Title = c.Time.Format("2006-01-02T15:04:05Z"), c.Author, c.Subject
			s.commits = append(s.commits, c.ID)
		} else {
			s.head = w.Repo.Head
		}
		s.out.Commits = append(s.out.Commits, wrote)
	}
	if at.First == 0 {
		commits, before, err := past.OfPath(ctx, rev, at.Path, maxHistory)
		for _, c := range commits {
			add(c)
		}
		s.names = append(s.names, before...)
		if len(commits) == 0 {
			s.out.Unknown = "no commit has changed it"
		}
		return err
	}
	blamed, err := past.Blame(ctx, rev, at.Path, at.First, at.Last)
	if errors.Is(err, gitops.ErrNoFile) {
		s.out.Unknown = "it is not in git"
		return nil
	}
	for _, b := range blamed {
		add(b.Commit, [2]int{b.First, b.Last})
		s.names = lists.Unique(s.names, []string{b.Path})
	}
	if rev == "" && err == nil {
		s.read(w)
	}
	return err
}

// maxNamed is the largest file whose lines are read for names, in bytes.
const maxNamed = 1 << 20

// named matches what is more likely a name than a word: an inner capital, an
// underscore or a digit.
var named = lazy.Pattern(`[A-Za-z]\w*(?:[a-z][A-Z]|_\w|[A-Za-z]\d)\w*`)

// read finds the names that stand on the lines of the working tree.
func (s *search) read(w *workspace.Workspace) {
	tree, err := w.Tree()
	if err != nil {
		return
	}
	data, _, _ := tree.ReadCapped(s.out.Place.Path, maxNamed) // without it no name is known
	lines := slices.Collect(strings.Lines(string(data)))
	first, last := min(s.out.Place.First-1, len(lines)), min(s.out.Place.Last, len(lines))
	s.words = map[string]bool{}
	for _, text := range lines[first:last] {
		for _, word := range named().FindAllString(text, -1) {
			s.words[word] = true
		}
	}
}

// made finds what the commits brought, and what they were made on.
func (s *search) made(ctx context.Context, w *workspace.Workspace) error {
	made, err := w.Repo.History().Made(ctx, s.commits, workspace.MemoriesDir)
	if err != nil {
		return err
	}
	s.came, s.on = map[string]gitops.ObjectID{}, map[gitops.ObjectID]gitops.ObjectID{}
	for _, id := range slices.Backward(s.commits) { // of several the first one counts
		for _, p := range made[id].Parents {
			s.on[p] = id
		}
		for _, name := range made[id].Added {
			s.came[path.Base(name)] = id
		}
	}
	return nil
}

// fewLearned is up to how many memories that were learned at one commit are behind what
// was made on it for that alone: where there are more, most are about something else.
const fewLearned = 3

// collect weighs the memories of a view.
func (s *search) collect(entries []workspace.Entry) {
	s.learnedAt = map[string]int{}
	for _, e := range entries {
		s.learnedAt[e.Memory.Source.Commit]++
	}
	sessions := map[string]bool{}
	var rest []workspace.Entry
	for _, e := range entries {
		reasons := s.reasons(e.Memory, path.Base(e.Path))
		if len(reasons) == 0 {
			rest = append(rest, e)
			continue
		}
		s.add(e, reasons)
		if reasons[0].Kind == CameWith || len(reasons) > 1 {
			sessions[e.Memory.Source.Session] = true
		}
	}
	delete(sessions, "")
	for _, e := range rest {
		if sessions[e.Memory.Source.Session] && len(e.Memory.Files) == 0 {
			s.add(e, []Reason{{Kind: Session}})
		}
	}
}

// add makes a memory a cause. What is about other files counts half, and so does what
// holds no longer.
func (s *search) add(e workspace.Entry, reasons []Reason) {
	score := 0.0
	for _, r := range reasons {
		score += r.Kind.weight()
	}
	if len(e.Memory.Files) > 0 && s.about(e.Memory) == "" {
		score /= 2
	}
	if !e.InForce() {
		score /= 2
	}
	s.out.Causes = append(s.out.Causes, Cause{Entry: e, Score: score, Reasons: reasons})
}

// reasons are the ties of a memory to the place, each kind once.
func (s *search) reasons(m *memory.Memory, file string) []Reason {
	about := s.about(m)
	out := s.cameWith(m, file, about)
	if about != "" {
		out = append(out, Reason{Kind: About, Path: about})
	}
	learned := s.learned(m.Source.Commit)
	if about != "" && learned.Kind != "" || s.learnedAlone(m, learned, out) {
		out = append(out, learned)
	}
	return append(out, s.named(m)...)
}

// named ties a memory to the place by a name that stands on its lines.
func (s *search) named(m *memory.Memory) []Reason {
	i := slices.IndexFunc(m.Entities, func(name string) bool { return s.words[name] })
	if i < 0 {
		return nil
	}
	return []Reason{{Kind: Names, Name: m.Entities[i]}}
}

// cameWith ties a memory to the commit that its file came with. One that was read from a session of the past, where
// nothing says which commit it was learned at, only rode along with a commit, if it is not about the place.
func (s *search) cameWith(m *memory.Memory, file, about string) []Reason {
	id := s.came[file]
	rodeAlong := m.Source.Session != "" && m.Source.Commit == "" && about == ""
	if id == "" || rodeAlong {
		return nil
	}
	return []Reason{{Kind: CameWith, Commit: string(id)}}
}

// learnedAlone reports whether where a memory was learned is reason enough: there is no other, it is about no
// file, and few were learned there.
func (s *search) learnedAlone(m *memory.Memory, r Reason, others []Reason) bool {
	few := s.learnedAt[m.Source.Commit] <= fewLearned
	return r.Kind == Learned && few && len(others)+len(m.Files) == 0
}

// about returns the name of the file by which a memory is about it, or about what is
// below the folder.
func (s *search) about(m *memory.Memory) string {
	paths := slices.Concat(m.Files, lists.Map(m.Anchors, func(a memory.Anchor) string { return a.Path }))
	for _, name := range s.names {
		i := slices.IndexFunc(paths, func(p string) bool { return name == "." || within(p, name) })
		if i >= 0 {
			return paths[i]
		}
	}
	return ""
}

// within reports whether a path is a file, or below it where that is a folder.
func within(path, place string) bool { return strings.HasPrefix(path+"/", place+"/") }

// learned ties a memory to the commits of the place by the commit that was checked out
// when it was learned, which may be abbreviated; where lines are not committed, by HEAD.
// Its kind is "" for none.
func (s *search) learned(head string) Reason {
	const shortest = 7
	if len(head) < shortest {
		return Reason{}
	}
	if strings.HasPrefix(s.head, head) {
		return Reason{Kind: Learned}
	}
	for on, id := range s.on {
		if strings.HasPrefix(string(on), head) {
			return Reason{Kind: Learned, Commit: string(id)}
		}
	}
	after := func(id gitops.ObjectID) bool { return strings.HasPrefix(string(id), head) }
	if i := slices.IndexFunc(s.commits, after); i >= 0 {
		return Reason{Kind: After, Commit: string(s.commits[i])}
	}
	return Reason{}
}

// MarshalJSON writes the shape of docs/json.md.
func (c Causes) MarshalJSON() ([]byte, error) {
	return jsontext.Encode(struct {
		Path     string              `json:"path"`
		First    int                 `json:"first,omitempty"`
		Last     int                 `json:"last,omitempty"`
		Unknown  string              `json:"unknown,omitempty"`
		Commits  []Wrote             `json:"commits"`
		Results  []Cause             `json:"results"`
		Together []*Coupled          `json:"together,omitempty"`
		Map      *Map                `json:"map,omitempty"`
		View     workspace.ViewShape `json:"view"`
	}{c.Place.Path, c.Place.First, c.Place.Last, c.Unknown, c.Commits, c.Causes, c.Together, c.Map, c.View})
}

// MarshalJSON writes a memory without its text, and its ties to the place.
func (c Cause) MarshalJSON() ([]byte, error) {
	o := c.Entry.Object(false)
	o.Add("score", view.Round3(c.Score))
	o.Add("reasons", c.Reasons)
	o.AddIf(len(c.Removed) > 0, "removed", c.Removed)
	return o.End()
}

// lineRange matches PATH:LINE and PATH:FIRST-LAST.
var lineRange = lazy.Pattern(`^(?s)(.*):(\d{1,9})(?:-(\d{1,9}))?$`)

// PlaceOf reads PATH, PATH:LINE or PATH:FIRST-LAST. What exists as it is written is a
// path, also with a colon in it.
func PlaceOf(text string, exists func(string) bool) (Place, error) {
	if !strings.Contains(text, ":") || exists(text) {
		return Place{Path: text}, nil
	}
	wrong := fmt.Errorf("%q names no lines: write PATH:LINE or PATH:FIRST-LAST", text)
	parts := lineRange().FindStringSubmatch(text)
	if parts == nil {
		return Place{}, wrong
	}
	first, _ := strconv.Atoi(parts[2]) // of digits alone
	last, _ := strconv.Atoi(cmp.Or(parts[3], parts[2]))
	if first < 1 || last < first {
		return Place{}, wrong
	}
	return Place{Path: parts[1], First: first, Last: last}, nil
}
