package postgres

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
)

// vocabulary is the words of the organisation. Those that are near to a misspelled one are looked up among
// the postings of the caller before anything is told of them.
type vocabulary struct {
	mu       sync.Mutex
	known    map[string]bool // nil: not read yet
	outdated bool            // other processes may have learned some
}

// isWord reports whether a term may be meant by a word of letters that is misspelled: compounds of many parts
// and numbers are at more than two edits from it.
func isWord(term string) bool {
	others := 0
	for _, r := range term {
		if !unicode.IsLetter(r) {
			others++
		}
	}
	return others <= 2 && utf8.ValidString(term)
}

// outdate has the words read again when they are needed.
func (v *vocabulary) outdate() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.outdated = true
}

// all are the words, read from the database where that is needed. They are not changed.
func (v *vocabulary) all(ctx context.Context, tx pgx.Tx, org int32) (map[string]bool, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.known != nil && !v.outdated {
		return v.known, nil
	}
	rows, _ := tx.Query(ctx, `select term from hub.word where org = $1`, org)
	terms, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	if err != nil {
		return nil, err
	}
	known := make(map[string]bool, len(terms))
	for _, term := range terms {
		known[string(term)] = true
	}
	v.known, v.outdated = known, false
	return known, nil
}

// learnWords adds the words of what is new.
func (c *replacing) learnWords(ctx context.Context) error {
	known, err := c.words.all(ctx, c.tx, c.org)
	if err != nil {
		return err
	}
	fresh := lists.Where(slices.Sorted(maps.Keys(c.homes)),
		func(term string) bool { return !known[term] && isWord(term) })
	if len(fresh) == 0 {
		return nil
	}
	if err := c.step("words"); err != nil {
		return err
	}
	c.words.outdate()
	_, err = c.tx.Exec(ctx, `insert into hub.word (org, term) select $1, w.term from unnest($2::bytea[]) as w (term)
		on conflict do nothing`, c.org, bytesOf(fresh))
	return err
}

// find are the words of the organisation that match.
func (s *Store) find(ctx context.Context, match func(term string) bool) (out []string, err error) {
	err = s.write(ctx, func(tx pgx.Tx) error {
		known, err := s.words.all(ctx, tx, s.org)
		out = nil
		for term := range known {
			if match(term) {
				out = append(out, term)
			}
		}
		return err
	})
	return out, err
}

// Spelled are words that are at most so many edits from another.
func (f *source) Spelled(ctx context.Context, word string, edits int) ([]string, error) {
	near := words.NewNear(word, edits)
	return f.readable(ctx, func(term string) bool { return near.Distance(term) <= edits })
}

// Begun are words that begin with another.
func (f *source) Begun(ctx context.Context, word string) ([]string, error) {
	return f.readable(ctx, func(term string) bool { return strings.HasPrefix(term, word) })
}

// readable are the words that match and stand in the repositories of the source. The statement is sent also where
// no word of the organisation matches: how many there are must not tell what others write.
func (f *source) readable(ctx context.Context, match func(term string) bool) ([]string, error) {
	found, err := f.find(ctx, match)
	if err != nil {
		return nil, err
	}
	return f.written(ctx, f.tx, found, f.ask)
}

// written are those of some words that stand as they are in some repositories.
func (s *Store) written(ctx context.Context, tx pgx.Tx, words []string, repos []int32) (out []string, err error) {
	wanted := lists.Set(words)
	var term, data pgtype.DriverBytes
	err = each(ctx, tx, []any{&term, &data}, func() error {
		var r reading
		r.read(string(term), data, func(form []byte) {
			if wanted[string(form)] {
				out = append(out, string(form))
				delete(wanted, string(form))
			}
		})
		return nil
	}, `select term, data from `+s.table("post")+` where org = $1 and term = any($2) and repo = any($3)`,
		s.org, bytesOf(lists.Map(words, s.ranker.Home)), repos)
	return out, err
}

// forgetWords deletes the words that stand nowhere any more.
func (s *Store) forgetWords(ctx context.Context, tx pgx.Tx) error {
	known, err := s.words.all(ctx, tx, s.org)
	if err != nil {
		return err
	}
	rows, _ := tx.Query(ctx, `select id from hub.repo where org = $1`, s.org)
	repos, err := pgx.CollectRows(rows, pgx.RowTo[int32])
	for some := range slices.Chunk(slices.Sorted(maps.Keys(known)), postingRows) {
		stay, failed := s.written(ctx, tx, some, repos)
		if err = errors.Join(err, failed); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `delete from hub.word where org = $1 and term = any($2) and term <> all($3)`,
			s.org, bytesOf(some), bytesOf(stay))
	}
	return err
}
