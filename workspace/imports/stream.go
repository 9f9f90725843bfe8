package imports

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// stream is a source that is too large to be held at once: its records can be read again
// and again, in the same order.
type stream struct {
	each  func(yield func(record) error) error
	total int             // records, for the progress; 0 when not known
	said  []index.Problem // of the source as a whole
}

// streamOf makes a stream of records that are held.
func streamOf(records []record) *stream {
	return &stream{total: len(records), each: func(yield func(record) error) error {
		for _, r := range records {
			if err := yield(r); err != nil {
				return err
			}
		}
		return nil
	}}
}

// take imports a stream, a batch at a time: what was written stays when it is cut short,
// and a second import goes on there. Where names the record that a problem is about.
func (s *stream) take(ctx context.Context, w *workspace.Workspace, in Input,
	where func(*record) string,
) (Result, error) {
	out := Result{Notes: s.said}
	mk := newMaker(ctx, w)
	ids, err := s.targets(ctx, mk)
	if err != nil {
		return out, err
	}
	dst, err := openTarget(ctx, w, in.DryRun)
	if err != nil {
		return out, err
	}
	defer dst.close()
	var batch []record
	flush := func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		skipped, notes := len(out.Skipped), len(out.Notes)
		if err := dst.take(ctx, mk.documents(batch, ids), &out); err != nil {
			return err
		}
		for _, list := range [][]index.Problem{out.Skipped[skipped:], out.Notes[notes:]} {
			for i := range list {
				list[i].Path, list[i].Line = where(&batch[list[i].Line-1]), 0
			}
		}
		batch = batch[:0]
		if in.Progress != nil {
			in.Progress(int64(out.Documents), int64(s.total), out.Documents)
		}
		return nil
	}
	err = s.each(func(r record) error {
		if batch = append(batch, r); len(batch) < batchSize {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if err != nil {
		return out, fmt.Errorf("%w (what was imported before stays; import again to go on)", err)
	}
	if out.Documents == 0 {
		return out, ErrNothing
	}
	return out, dst.finish(ctx, w, &out)
}

// targets are the ids of the memories that records link to. A first reading finds them,
// because a record may link to a later one.
func (s *stream) targets(ctx context.Context, mk *maker) (map[string]memory.ID, error) {
	wanted := map[string]bool{}
	err := s.each(func(r record) error {
		for _, l := range r.links {
			wanted[l.to] = true
		}
		return ctx.Err()
	})
	ids := map[string]memory.ID{}
	if err != nil || len(wanted) == 0 {
		return ids, err
	}
	err = s.each(func(r record) error {
		if ref := refText(&r); wanted[ref] {
			var doc document
			if mk.into(&r, &doc) == nil {
				ids[ref] = doc.memory.ID
			}
		}
		return ctx.Err()
	})
	return ids, err
}

// documents makes memories of records on all cores, in order, with the links between them.
func (mk *maker) documents(records []record, ids map[string]memory.ID) []document {
	docs := make([]document, len(records))
	inParallel(len(docs), func(i int) {
		docs[i] = mk.document(&records[i], ids)
		docs[i].line = i + 1
	})
	return docs
}

// document makes a memory of a record, with its links to others.
func (mk *maker) document(r *record, ids map[string]memory.ID) (doc document) {
	if doc.err = mk.into(r, &doc); doc.err != nil {
		return doc
	}
	m := doc.memory
	for _, l := range r.links {
		if to, ok := ids[l.to]; ok && to != m.ID {
			m.Links = append(m.Links, memory.Link{Rel: l.rel, To: to})
		}
	}
	mk.finish(r, &doc)
	m.Tidy()
	doc.data = memory.Format(m)
	doc.err = m.Validate()
	return doc
}

// finish gives the memory of a document what a record says beside its text. What holds a
// secret is left out.
func (mk *maker) finish(r *record, doc *document) {
	m := doc.memory
	if r.confidence > 0 {
		m.Confidence = min(r.confidence, 1)
	}
	if r.priority > 0 {
		m.Priority = min(r.priority, 10)
	}
	m.Pinned = r.pinned && !mk.byAgent // only a person pins
	plain := func(text string) bool {
		if clean, _ := mk.secrets.Redact(text); clean != text {
			doc.redacted = true
			return false
		}
		return text != ""
	}
	inside := func(name string) string { return strings.TrimPrefix(filepath.ToSlash(name), mk.root+"/") }
	r.files = lists.Where(lists.Map(r.files, inside), func(name string) bool {
		return filepath.IsLocal(filepath.FromSlash(name))
	})
	for _, list := range []struct{ from, to *[]string }{
		{&r.tags, &m.Tags},
		{&r.files, &m.Files},
		{&r.entities, &m.Entities},
	} {
		for _, text := range *list.from {
			if text = memory.OneLine(text); plain(text) && !slices.Contains(*list.to, text) {
				*list.to = append(*list.to, text)
			}
		}
	}
	if plain(r.session) {
		m.Source.Session = memory.OneLine(r.session)
	}
	if plain(r.branch) {
		m.Source.Branch = memory.OneLine(r.branch)
	}
}

// words is a list that another store wrote as JSON or between commas.
func words(text string) []string {
	text = strings.Trim(strings.TrimSpace(text), "[]")
	var out []string
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.Trim(strings.TrimSpace(word), `"'`); word != "" {
			out = append(out, word)
		}
	}
	return out
}
