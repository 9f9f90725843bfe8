package threads

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/internal/suspicion"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/places"
)

// Hold is why what a review taught does not land before a person has read it.
const Hold = "from-review"

// Lesson is a memory that a thread teaches.
type Lesson struct {
	Memory *memory.Memory
	Why    string // it is one
}

// MarshalJSON writes what a person needs to decide about a lesson.
func (l Lesson) MarshalJSON() ([]byte, error) {
	m := l.Memory
	return json.Marshal(struct {
		ID     memory.ID   `json:"id"`
		Type   memory.Type `json:"type"`
		Title  string      `json:"title"`
		Text   string      `json:"text"`
		Files  []string    `json:"files"`
		Origin string      `json:"origin"`
		Thread string      `json:"thread"`
		Why    string      `json:"why"`
	}{m.ID, m.Type, m.Title, m.Text, append([]string{}, m.Files...), m.Source.Origin, m.Source.Ref, l.Why})
}

// Review holds the lessons of a pull request, and the replies that ask for something. As JSON it is the answer of
// `cortex learn-from-review`.
type Review struct {
	Threads int      `json:"threads"` // that were read
	Lessons []Lesson `json:"lessons"` // that nobody knows yet, and nobody refused
	Known   int      `json:"known"`   // lessons that are memories already, or that somebody refused
	Replies []Act    `json:"replies"` // by which a reviewer refuses or keeps a memory, as far as they are not followed
}

// Learn finds what the review of a pull request teaches that adds some memories. It writes nothing: see
// [Propose] and [Apply].
func Learn(ctx context.Context, w *workspace.Workspace, t *Talk, added []workspace.Entry) (*Review, error) {
	r := reader{w: w, files: map[string]string{}}
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	out := &Review{Threads: len(t.Threads), Lessons: []Lesson{}}
	for i := range t.Threads {
		if err := r.learn(ctx, out, &t.Threads[i]); err != nil {
			return nil, err
		}
	}
	replies := t.Replies()
	out.Replies = acts(replies, added, out.Lessons)
	all := len(out.Lessons)
	out.Lessons = lists.Without(out.Lessons, func(l Lesson) bool { return refused(l.Memory.ID, replies) })
	out.Known += all - len(out.Lessons)
	return out, nil
}

// learn takes in what a thread teaches, unless that is known. What `cortex check` would report is
// nothing.
func (r *reader) learn(ctx context.Context, out *Review, th *Thread) error {
	v := th.Judge(r.changed(ctx, th))
	if v.Type == "" {
		return nil
	}
	m, err := r.memory(ctx, th, v)
	if err != nil || len(suspicion.Signs(m)) > 0 {
		return err
	}
	known, err := r.known(ctx, m)
	if known {
		out.Known++
	} else {
		out.Lessons = append(out.Lessons, Lesson{m, v.Why})
	}
	return err
}

// Propose makes lessons pending for the branch that is checked out. They wait for a person.
func Propose(ctx context.Context, w *workspace.Workspace, lessons []Lesson) error {
	for _, l := range lessons {
		if err := w.AddMemory(ctx, l.Memory, true); err != nil {
			return err
		}
	}
	return nil
}

// reader reads one review in a repository.
type reader struct {
	w     *workspace.Workspace
	view  *workspace.View
	snap  *gitops.Snapshot
	tree  workspace.Folder
	files map[string]string // by commit and path
}

func (r *reader) open(ctx context.Context) (err error) {
	if r.view, err = r.w.View(ctx, workspace.ViewOptions{Unreviewed: true}); err != nil {
		return err
	}
	if r.snap, err = r.w.Journal.Snapshot(ctx); err != nil {
		return err
	}
	r.tree, err = r.w.Tree()
	return err
}

// longestTitle bounds a title, in bytes.
const longestTitle = 160

// memory is the memory of a thread, without secrets.
func (r *reader) memory(ctx context.Context, th *Thread, v Verdict) (*memory.Memory, error) {
	clean := func(s string) string {
		s, _ = redact.Private(strings.ToValidUTF8(s, "\ufffd"))
		s, _ = r.w.CaptureRedactor(ctx).Redact(s)
		return s
	}
	m := memory.New(v.Type, prose.Clip(clean(v.Title), longestTitle), clean(v.Text), cmp.Or(v.By[0].When, r.w.Now()))
	m.Hold, m.Source, m.Triggers = Hold, r.source(ctx, v.By), memory.CommandNamed(m)
	if memory.ValidPath(th.Path) && r.tree.Exists(th.Path) {
		m.Files = []string{th.Path}
		workspace.Anchor(ctx, r.w.Repo, r.tree, map[*memory.Memory][]string{m: m.Files})
	}
	m.Tidy()
	m.ID = memory.NewImportedID(m.Type, m.Title, m.Text, m.Source.Ref)
	return m, m.Validate()
}

// source says whose words they are. Only somebody who may write to the repository is a person here;
// what an agent hands in nobody vouches for.
func (r *reader) source(ctx context.Context, by []*Comment) memory.Source {
	out := memory.Source{
		Agent: memory.Human, Origin: memory.OriginPerson, Branch: r.w.Secrets.Branch(ctx, r.w.Repo.Topic),
		Ref: r.w.Secrets.Without(ctx, by[len(by)-1].URL),
	}
	stranger := slices.ContainsFunc(by, func(c *Comment) bool { return !c.Writes })
	if stranger || r.w.ByAgent() {
		out.Agent, out.Origin = memory.Imported, memory.OriginOutside
	}
	return out
}

// known reports whether a memory is known already, in these or other words, or somebody refused it.
func (r *reader) known(ctx context.Context, m *memory.Memory) (bool, error) {
	if _, err := r.view.Find(ctx, string(m.ID)); err == nil {
		return true, nil
	}
	refused, err := places.Has(ctx, r.snap, journal.DismissedPath(m.ID))
	if refused || err != nil {
		return true, err
	}
	own := sameness.Signature(m.Title, m.Text)
	near := r.w.Index.Alike(r.view.Items, [][]uint32{own}, sameness.Restated)[0]
	return slices.ContainsFunc(near, func(a index.Alike) bool { return r.isSame(ctx, &a.Item, own) }), nil
}

// isSame reports whether an item of the view says the same.
func (r *reader) isSame(ctx context.Context, it *index.Item, own []uint32) bool {
	have, ok := r.w.Index.Catalog().MemoryOf(ctx, it)
	return ok && sameness.Jaccard(sameness.Signature(have.Title, have.Text), own) >= sameness.Restated
}

// changed reports whether git knows that the lines of a thread stand in the file no longer. A commit
// that this clone lacks, after a push that rewrote the branch, says nothing.
func (r *reader) changed(ctx context.Context, th *Thread) bool {
	lines := strings.Split(r.file(ctx, th.Commit, th.Path), "\n")
	if th.First < 1 || th.First > th.Last || th.Last >= len(lines) {
		return false
	}
	was := strings.Join(lines[th.First-1:th.Last], "\n")
	return !strings.Contains(r.file(ctx, r.w.Repo.Head, th.Path), was)
}

// file reads a file at a commit; "" for none.
func (r *reader) file(ctx context.Context, commit, path string) string {
	key := commit + ":" + path
	if text, ok := r.files[key]; ok {
		return text
	}
	at, err := r.w.Repo.PathsAt(ctx, commit, []string{path})
	if err == nil && at[path] != "" {
		_ = r.w.Repo.Blobs(ctx, []gitops.ObjectID{at[path]}, maxInput, func(_ gitops.ObjectID, data []byte) error {
			r.files[key] = string(data)
			return nil
		})
	}
	return r.files[key]
}
