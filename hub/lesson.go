package hub

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-cortex/cortex/memory"
)

// lesson holds the files of a repository while its new ones are read.
type lesson struct {
	*Hub
	r       *Repo
	tombs   Tombs
	authors map[string][]string // by path; of use where authors were purged
	paths   map[string][]string // of what is new, by blob
	files   map[string]File     // all that the repository holds, by path
	refused []Tomb
	parser  memory.Parser
}

// learn reads what is new, notes it in files, and has the store learn it. What was purged is left out, and its
// blobs are not read another time.
func (l *lesson) learn(ctx context.Context) error {
	maps.DeleteFunc(l.files, func(_ string, f File) bool { return l.tombs.file(f) })
	known := len(l.paths)
	maps.DeleteFunc(l.paths, func(blob string, _ []string) bool { return l.tombs[TombBlob][blob] })
	for blobs := range slices.Chunk(slices.Sorted(maps.Keys(l.paths)), batchBlobs) {
		if err := l.batch(ctx, blobs); err != nil {
			return err
		}
	}
	l.r.Purged = known - len(l.paths) + len(l.refused)
	if len(l.refused) == 0 {
		return nil
	}
	return l.store.Bury(ctx, l.refused)
}

// batch reads and learns some blobs.
func (l *lesson) batch(ctx context.Context, blobs []string) error {
	texts, read := map[string][]byte{}, 0
	err := l.mirror.Read(ctx, l.r.URL, blobs, func(blob string, data []byte) error {
		read++
		if l.take(blob, data) {
			texts[blob] = data
		}
		return nil
	})
	if err == nil && read < len(blobs) {
		err = fmt.Errorf("%d of %d files cannot be had", len(blobs)-read, len(blobs))
	}
	if err != nil {
		return errGit{fmt.Errorf("reading memories: %w", err)}
	}
	return l.store.Learn(ctx, l.r, texts)
}

// take notes a blob at its paths, unless it was purged.
func (l *lesson) take(blob string, data []byte) bool {
	taken := false
	for _, path := range l.paths[blob] {
		f, m := judge(&l.parser, blob, path, string(data))
		if l.tombs.memory(m) || l.tombs.author(l.authors[path]) {
			continue
		}
		l.files[path], taken = f, true
	}
	if !taken {
		l.refused = append(l.refused, Tomb{Kind: TombBlob, Value: blob, At: l.opt.Now()})
	}
	return taken
}
