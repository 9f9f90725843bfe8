package gitobject

import (
	"context"
	"slices"
	"strings"
)

// Trees reads a tree by its id.
type Trees func(context.Context, ID) ([]Entry, error)

// Find is the entry at path below a tree, which is called "/" itself; what is not there has no name.
func (t Trees) Find(ctx context.Context, root ID, path string) (Entry, error) {
	at := Entry{Mode: Dir, Name: "/", ID: root}
	if path == "" {
		return at, nil
	}
	for part := range strings.SplitSeq(path, "/") {
		if !at.IsDir() {
			return Entry{}, nil
		}
		entries, err := t(ctx, at.ID)
		if err != nil {
			return at, err
		}
		i := slices.IndexFunc(entries, func(e Entry) bool { return e.Name == part })
		if i < 0 {
			return Entry{}, nil
		}
		at = entries[i]
	}
	return at, nil
}

// Shared returns the paths at which two trees both have a file, whatever is in it. It reads only
// those folders that both have.
func (t Trees) Shared(ctx context.Context, a, b ID) ([]string, error) {
	return t.shared(ctx, a, b, "")
}

func (t Trees) shared(ctx context.Context, a, b ID, prefix string) ([]string, error) {
	mine, err := t(ctx, a)
	if err != nil {
		return nil, err
	}
	others, err := t(ctx, b)
	if err != nil {
		return nil, err
	}
	named := make(map[string]Entry, len(others))
	for _, e := range others {
		named[e.Name] = e
	}
	var paths []string
	for _, e := range mine {
		other := named[e.Name]
		if !PlainName(e.Name) {
			continue
		}
		if e.IsFile() && other.IsFile() {
			paths = append(paths, prefix+e.Name)
		}
		if !e.IsDir() || !other.IsDir() {
			continue
		}
		below, err := t.shared(ctx, e.ID, other.ID, prefix+e.Name+"/")
		if err != nil {
			return nil, err
		}
		paths = append(paths, below...)
	}
	return paths, ctx.Err()
}
