package gitobject

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/git-cortex/cortex/internal/lists"
)

// ParseTree decodes a tree.
//
// Tests hold what is below against go-git and the git binary. plumbing/object of go-git
// does the same for sha1 alone, and costs every start of the program the initialisation
// of openpgp (docs/design/0004-git-binary-and-go-git.md).
func (f Format) ParseTree(data []byte) ([]Entry, error) {
	size := f.size()
	var entries []Entry
	for len(data) > 0 {
		mode, rest, ok := bytes.Cut(data, []byte{' '})
		name, rest, ok2 := bytes.Cut(rest, []byte{0})
		if !ok || !ok2 || len(rest) < size {
			return nil, errors.New("malformed tree")
		}
		if err := checkName(string(name)); err != nil {
			return nil, err
		}
		bits, err := filemode.New(string(mode))
		if err != nil {
			return nil, fmt.Errorf("malformed tree: %w", err)
		}
		entries = append(entries, Entry{canonical(bits), string(name), ID(hex.EncodeToString(rest[:size]))})
		data = rest[size:]
	}
	return entries, nil
}

// canonical returns the mode as which git reads another one.
func canonical(mode filemode.FileMode) filemode.FileMode {
	switch kind := mode & 0o170000; {
	case kind == 0o100000 && mode&0o111 != 0:
		return filemode.Executable
	case kind == 0o100000:
		return filemode.Regular
	case kind == filemode.Dir, kind == filemode.Symlink:
		return kind
	}
	return filemode.Submodule
}

// FormatTree is the inverse of [Format.ParseTree]. It sorts entries in place.
func (f Format) FormatTree(entries []Entry) ([]byte, error) {
	lists.Sort(entries, func(a, b Entry) int { return strings.Compare(a.key(), b.key()) })
	var data []byte
	for _, e := range entries {
		if err := checkName(e.Name); err != nil {
			return nil, err
		}
		if len(e.ID) != 2*f.size() || !IsID(string(e.ID)) {
			return nil, fmt.Errorf("%q is not an object id", e.ID)
		}
		data = strconv.AppendUint(data, uint64(e.Mode), 8)
		data = append(data, ' ')
		data = append(data, e.Name...)
		data = append(data, 0)
		data, _ = hex.AppendDecode(data, []byte(e.ID)) // which IsID has looked at
	}
	return data, nil
}

// FormatCommit encodes a commit, with one signature for author and committer.
func FormatCommit(c Commit) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "tree %s\n", c.Tree)
	for _, id := range []ID{c.Parent, c.Merged} {
		if id != "" {
			fmt.Fprintf(&b, "parent %s\n", id)
		}
	}
	stamp := fmt.Sprintf("%s %d +0000", c.Ident, c.When.Unix())
	fmt.Fprintf(&b, "author %s\ncommitter %s\n\n%s", stamp, stamp, c.Message)
	return []byte(b.String())
}

// ParseCommit decodes a commit.
func ParseCommit(data []byte) (Commit, error) {
	head, message, _ := strings.Cut(string(data), "\n\n")
	c := Commit{Message: message}
	var trees, parents []ID
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "tree":
			trees = append(trees, IDs(value)...)
		case "parent":
			parents = append(parents, IDs(value)...)
		case "committer":
			c.Ident, c.When = parseStamp(value)
		}
	}
	if len(trees) == 0 {
		return c, errors.New("malformed commit")
	}
	c.Tree = trees[0]
	c.setParents(parents)
	return c, nil
}

// parseStamp reads "Name <mail> seconds zone".
func parseStamp(value string) (ident string, when time.Time) {
	fields := strings.Fields(value)
	if len(fields) < 2 {
		return "", time.Time{}
	}
	name, zoned := fields[:len(fields)-2], fields[len(fields)-2:]
	seconds, _ := strconv.ParseInt(zoned[0], 10, 64)
	return strings.Join(name, " "), time.Unix(seconds, 0).UTC()
}
