package hub

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// Purge says what goes, and in whose name. One of the first four is set.
type Purge struct {
	Memory  memory.ID // the memory with this id
	Text    string    // whatever holds this text
	Session string    // what an agent's session taught, by its whole id
	Author  string    // what somebody committed, by their name or address at git

	By, Why string // for the certificate
	DryRun  bool   // nothing goes
}

// Certificate says what was purged, and what may still hold it.
type Certificate struct {
	ID     string    `json:"id"`
	At     time.Time `json:"at"`
	By     string    `json:"by"`
	Why    string    `json:"why"`
	What   string    `json:"what"` // never the text
	DryRun bool      `json:"dry_run"`
	Files  []Purged  `json:"files"` // that were held, in order of repositories and paths
	Tombs  int       `json:"tombs"` // what never comes in again
	Left   []Left    `json:"left"`  // what still holds it, or may
}

// Purged is a file that was held.
type Purged struct {
	Repository string    `json:"repository"`
	Path       string    `json:"path"`
	Blob       string    `json:"blob"`
	Memory     memory.ID `json:"memory"`
}

// Left is a place that still holds what was purged, or may hold it.
type Left struct {
	Where string `json:"where"`
	Says  string `json:"says"`
	Sure  bool   `json:"sure"` // it was looked at, and holds it
}

// ErrNothing says that nothing of what is held is what a purge names.
var ErrNothing = errors.New("the hub holds nothing of that")

// what names what a purge is about, without its text.
func (p *Purge) what() string {
	switch {
	case p.Memory != "":
		return "memory " + string(p.Memory)
	case p.Text != "":
		return fmt.Sprintf("a text of %d bytes", len(p.Text))
	case p.Session != "":
		return "session " + p.Session
	}
	return "author " + p.Author
}

// matches reports whether a file is what goes. Its memory is nil where it is none; who are those who committed it.
func (p *Purge) matches(m *memory.Memory, data []byte, who []string) bool {
	switch {
	case p.Text != "":
		return bytes.Contains(data, []byte(p.Text))
	case p.Author != "":
		return slices.ContainsFunc(who, func(one string) bool { return sumOf(one) == sumOf(p.Author) })
	case m == nil:
		return false
	case p.Memory != "":
		return m.ID == p.Memory
	}
	return m.Source.Session == p.Session
}

// burial is a purge while it is done.
type burial struct {
	*Hub
	ask   Purge
	cert  *Certificate
	tombs map[Tomb]bool
	repos map[string][]string // blobs by repository
}

// Purge removes what is named from all that the hub holds, keeps it from coming in again, and says what is left.
// Files are read again from git, so nothing is missed that an index does not know.
func (h *Hub) Purge(ctx context.Context, ask Purge) (*Certificate, error) {
	if err := h.reload(); err != nil {
		return nil, err
	}
	now := h.opt.Now().UTC().Truncate(time.Second)
	b := &burial{Hub: h, ask: ask, tombs: map[Tomb]bool{}, repos: map[string][]string{}, cert: &Certificate{
		ID: now.Format("20060102-150405-") + strings.ToLower(rand.Text()[:6]), At: now, By: ask.By, Why: ask.Why,
		What: ask.what(), DryRun: ask.DryRun, Files: []Purged{}, Left: []Left{},
	}}
	for _, key := range slices.Sorted(maps.Keys(h.repos())) {
		if err := b.look(ctx, h.repos()[key]); err != nil {
			return nil, err
		}
	}
	b.bury(TombSession, ask.Session)
	if ask.Author != "" {
		b.bury(TombAuthor, sumOf(ask.Author))
	}
	slices.SortFunc(b.cert.Files, func(x, y Purged) int {
		return strings.Compare(x.Repository+"\x00"+x.Path, y.Repository+"\x00"+y.Path)
	})
	b.cert.Tombs = len(b.tombs)
	if len(b.tombs) == 0 {
		return nil, ErrNothing
	}
	if ask.DryRun {
		return b.cert, nil
	}
	return b.cert, b.do(ctx)
}

// bury notes what never comes in again.
func (b *burial) bury(kind TombKind, value string) {
	if value != "" {
		b.tombs[Tomb{Kind: kind, Value: value, Purge: b.cert.ID, At: b.cert.At}] = true
	}
}

// look finds what goes of a repository.
func (b *burial) look(ctx context.Context, r *Repo) error {
	if len(r.Files) == 0 {
		return nil
	}
	var authors map[string][]string
	if b.ask.Author != "" {
		var err error
		if authors, err = b.mirror.Authors(ctx, r.URL, r.OID); err != nil {
			return fmt.Errorf("asking git who committed the memories of %s: %w", r.Name, err)
		}
	}
	paths := map[string][]string{}
	for path, f := range r.Files {
		paths[f.Blob] = append(paths[f.Blob], path)
	}
	for blobs := range slices.Chunk(slices.Sorted(maps.Keys(paths)), batchBlobs) {
		err := b.mirror.Read(ctx, r.URL, blobs, func(blob string, data []byte) error {
			for _, path := range paths[blob] {
				b.lookAt(r, path, data, authors[path])
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("reading the memories of %s: %w", r.Name, err)
		}
	}
	return nil
}

// lookAt buries a file if it is what goes.
func (b *burial) lookAt(r *Repo, path string, data []byte, who []string) {
	f := r.Files[path]
	m, err := memory.Parse(path, data)
	if err != nil {
		m = nil
	}
	if !b.ask.matches(m, data, who) {
		return
	}
	b.cert.Files = append(b.cert.Files, Purged{r.Name, path, f.Blob, f.ID})
	b.repos[r.Key()] = append(b.repos[r.Key()], f.Blob)
	b.bury(TombBlob, f.Blob)
	if m != nil {
		b.bury(TombMemory, string(m.ID))
		b.bury(TombWords, wordsOf(m))
	}
}

// do removes what was found. The tombs come first: whatever is killed later, nothing comes in again, and the same
// purge goes on.
func (b *burial) do(ctx context.Context) error {
	if err := b.store.Bury(ctx, slices.Collect(maps.Keys(b.tombs))); err != nil {
		return err
	}
	tombs, err := b.buried(ctx)
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(b.repos)) {
		if err := b.cleanse(ctx, key, tombs); err != nil {
			return err
		}
	}
	if err := b.store.Cleanse(ctx, b.mirror.Read); err != nil {
		return fmt.Errorf("removing texts from the index: %w", err)
	}
	for _, key := range slices.Sorted(maps.Keys(b.repos)) {
		b.remains(ctx, b.Hub.repos()[key], b.repos[key])
	}
	b.cert.Left = append(b.cert.Left,
		Left{"clones and forks", "whoever cloned a repository has its history; the hub knows none of them", false},
		Left{
			"agents and pages", "what was answered before is in transcripts, logs and caches of those who asked",
			false,
		})
	for _, says := range b.store.Remains() {
		b.cert.Left = append(b.cert.Left, Left{"the store of the hub", says, false})
	}
	return nil
}

// buried are all tombs.
func (h *Hub) buried(ctx context.Context) (Tombs, error) {
	list, err := h.store.Tombs(ctx)
	return NewTombs(list), While(err, "reading what was purged")
}

// cleanse removes what is purged from a repository.
func (h *Hub) cleanse(ctx context.Context, key string, tombs Tombs) error {
	release, err := h.hold(ctx, key)
	if err != nil {
		return err
	}
	defer release()
	r := *h.repos()[key]
	before := len(r.Files)
	r.Files = maps.Clone(r.Files)
	maps.DeleteFunc(r.Files, func(_ string, f File) bool { return tombs.file(f) })
	r.Purged += before - len(r.Files)
	r.Moved = h.opt.Now()
	if err := h.save(&r); err != nil {
		return fmt.Errorf("purging %s: %w", r.Name, err)
	}
	if err := h.mirror.Drop(ctx, r.URL); err != nil {
		return fmt.Errorf("removing the mirror of %s: %w", r.Name, err)
	}
	if _, _, err := h.mirror.Fetch(ctx, r.URL); err != nil {
		h.opt.Log.Warn("a mirror is not made again yet", "repository", r.Name, "error", err)
	}
	return nil
}

// remains notes what git still holds of a repository.
func (b *burial) remains(ctx context.Context, r *Repo, blobs []string) {
	list, _, err := b.mirror.Changes(ctx, r.URL, "", r.OID)
	if err != nil {
		b.cert.Left = append(b.cert.Left,
			Left{r.Name, "its history; it was not reached to look: " + err.Error(), false})
		return
	}
	at := 0
	for _, c := range list {
		if slices.Contains(blobs, c.Blob) {
			at++
		}
	}
	if at > 0 {
		b.cert.Left = append(b.cert.Left, Left{
			r.Name, fmt.Sprintf("commit %s of %s still has %d of the files: git rm them there", r.OID, r.Ref, at), true,
		})
	}
	b.cert.Left = append(b.cert.Left, Left{
		r.Name, "older commits have them until its history is rewritten: cortex purge in a clone says how", true,
	})
	held, err := b.mirror.Held(ctx, r.URL, blobs)
	switch {
	case err != nil:
		b.cert.Left = append(b.cert.Left,
			Left{r.Name, "the mirror of the hub was not looked at: " + err.Error(), false})
	case len(held) > 0:
		b.cert.Left = append(b.cert.Left, Left{r.Name, fmt.Sprintf(
			"the mirror of the hub has %d of the files: its server sends no partial clones", len(held)), true})
	}
}
