package mirror

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// Folder is where memories lie in a repository.
const Folder = ".cortex/memories"

// Change is a memory file that differs between two commits. Old or New is "" where it is not
// there, or is no ordinary file.
type Change struct{ Path, Old, New string }

// Changes are the memory files in which two commits differ, sorted by path.
type Changes struct {
	// Full: the older commit is not known, and Files are all files of the newer one.
	// What is not among them is not there any more.
	Full  bool
	Files []Change
	// Left is how many files of the newer commit are beyond [MaxMemories] and do not count.
	Left int
}

// Changes compares the memory files of two commits of a repository. From "", or from a commit
// that is not in the mirror any more, everything in to is listed.
func (m *Mirror) Changes(ctx context.Context, repo, from, to string) (Changes, error) {
	if _, err := m.URL(repo); err != nil {
		return Changes{}, err
	}
	after, left, err := m.files(ctx, repo, to)
	if err != nil {
		return Changes{}, localError(ctx, "listing the memories of mirror "+repo, err)
	}
	var before map[string]string
	full := from == ""
	if !full {
		before, _, err = m.files(ctx, repo, from)
		full = err != nil
	}
	if ctx.Err() != nil {
		return Changes{}, ctx.Err()
	}
	return Changes{Full: full, Files: compare(before, after), Left: left}, nil
}

// compare lists what differs between two sets of files, by path.
func compare(before, after map[string]string) []Change {
	var changes []Change
	for path, oid := range after {
		if before[path] != oid {
			changes = append(changes, Change{Path: path, Old: before[path], New: oid})
		}
	}
	for path, oid := range before {
		if _, stays := after[path]; !stays {
			changes = append(changes, Change{Path: path, Old: oid})
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return changes
}

// files are the memory files of a commit with their blobs, and how many are left out: the
// first [MaxMemories] by path count, so that the same commit has the same files every time.
func (m *Mirror) files(ctx context.Context, repo, commit string) (files map[string]string, left int, err error) {
	if !gitobject.IsID(commit) {
		return nil, 0, fmt.Errorf("%q is no object id", commit)
	}
	args := []string{"ls-tree", "-r", "-z", "--full-tree", commit, "--", Folder + "/"}
	out, err := m.in(repo).Run(ctx, gitcmd.Command{Args: args})
	if err != nil {
		return nil, 0, err
	}
	files = map[string]string{}
	for _, entry := range gitcmd.Parts(string(out)) {
		if path, oid, ok := parseEntry(entry); ok {
			files[path] = oid
		}
	}
	if len(files) <= MaxMemories {
		return files, 0, nil
	}
	paths := slices.Sorted(maps.Keys(files))
	for _, path := range paths[MaxMemories:] {
		delete(files, path)
	}
	return files, len(paths) - MaxMemories, nil
}

// parseEntry reads "100644 blob <oid>\t<path>". A link, a submodule and a file that is no
// Markdown are not ok.
func parseEntry(entry string) (path, oid string, ok bool) {
	head, path, _ := strings.Cut(entry, "\t")
	fields := strings.Fields(head)
	if len(fields) != 3 || !strings.HasPrefix(fields[0], "100") || !strings.HasSuffix(path, ".md") {
		return "", "", false
	}
	return path, fields[2], true
}

// Blob is a file as it was read. Data is nil when it is larger than [MaxBytes].
type Blob struct {
	OID  string
	Size int64
	Data []byte
}

// Read calls yield with each blob that is asked for, in this order. Those that were left at the
// remote are fetched first, all in one call; if that fails, yield is not called at all. An error
// of yield ends it.
func (m *Mirror) Read(ctx context.Context, repo string, oids []string, yield func(Blob) error) error {
	for _, oid := range oids {
		if !gitobject.IsID(oid) {
			return fmt.Errorf("reading blobs of mirror %s: %q is no object id", repo, oid)
		}
	}
	if err := m.bring(ctx, repo, oids); err != nil {
		return err
	}
	doing := "reading blobs of mirror " + repo
	ids := make([]gitobject.ID, len(oids))
	for i, oid := range oids {
		ids[i] = gitobject.ID(oid)
	}
	err := m.in(repo).Objects(ctx, ids, MaxBytes, func(id gitobject.ID, a gitcmd.Answer) error {
		if a.Kind != "blob" {
			return fmt.Errorf("%s: %w: %s is %q", doing, ErrDamaged, id, a.Kind)
		}
		return yield(Blob{OID: string(id), Size: a.Size, Data: a.Data})
	})
	if errors.Is(err, gitcmd.ErrDamaged) || errors.Is(err, gitcmd.ErrPartial) {
		return localError(ctx, doing, err)
	}
	return err
}

// bring fetches the blobs that are not in the mirror.
func (m *Mirror) bring(ctx context.Context, repo string, oids []string) error {
	address, err := m.URL(repo)
	if err != nil {
		return err
	}
	unlock, err := m.open(ctx, repo)
	if err != nil {
		return err
	}
	defer unlock()
	missing, err := m.missing(ctx, repo, oids)
	if err != nil || len(missing) == 0 {
		return err
	}
	m.heal(ctx, repo)
	n := m.own(address, [2]string{"fetch.negotiationAlgorithm", "noop"}) // what is asked for is named
	n.Stdin = strings.NewReader(strings.Join(missing, "\n") + "\n")
	return m.online(ctx, repo, n, "--filter=blob:none", "--stdin", remote)
}

// missing are those of some objects that the mirror does not hold.
func (m *Mirror) missing(ctx context.Context, repo string, oids []string) ([]string, error) {
	args := []string{"cat-file", "--batch-check", "--buffer"}
	stdin := strings.NewReader(strings.Join(oids, "\n") + "\n")
	out, err := m.in(repo).Run(ctx, gitcmd.Command{Args: args, Stdin: stdin})
	if err != nil {
		return nil, localError(ctx, "looking for blobs of mirror "+repo, err)
	}
	var missing []string
	for line := range strings.Lines(string(out)) {
		if oid, ok := strings.CutSuffix(strings.TrimSpace(line), " missing"); ok {
			missing = append(missing, oid)
		}
	}
	slices.Sort(missing)
	return slices.Compact(missing), nil
}
