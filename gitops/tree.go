package gitops

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// treeEntry is one line of a git tree object.
type treeEntry struct {
	mode filemode.FileMode
	name string
	id   ObjectID
}

func (e treeEntry) isDir() bool { return e.mode == filemode.Dir }

// isFile is true for what cortex reads: regular files, executable or not.
func (e treeEntry) isFile() bool {
	return e.mode == filemode.Regular || e.mode == filemode.Executable || e.mode == filemode.Deprecated
}

// key orders entries as git does: a folder sorts as if its name ended in "/".
func (e treeEntry) key() string {
	if e.isDir() {
		return e.name + "/"
	}
	return e.name
}

// parseTree decodes a tree object whose ids are size bytes long. go-git's own
// decoder is compiled for one length of id, and a repository chooses its own.
func parseTree(data []byte, size int) ([]treeEntry, error) {
	var entries []treeEntry
	for len(data) > 0 {
		mode, rest, ok := bytes.Cut(data, []byte{' '})
		name, rest, ok2 := bytes.Cut(rest, []byte{0})
		if !ok || !ok2 || len(rest) < size || len(name) == 0 || bytes.IndexByte(name, '/') >= 0 {
			return nil, errors.New("malformed tree")
		}
		bits, err := filemode.New(string(mode))
		if err != nil {
			return nil, fmt.Errorf("malformed tree: %w", err)
		}
		entries = append(entries, treeEntry{bits, string(name), ObjectID(hex.EncodeToString(rest[:size]))})
		data = rest[size:]
	}
	return entries, nil
}

// formatTree is the inverse of parseTree. It sorts entries in place.
func formatTree(entries []treeEntry) ([]byte, error) {
	slices.SortFunc(entries, func(a, b treeEntry) int { return strings.Compare(a.key(), b.key()) })
	var data []byte
	for _, e := range entries {
		id, err := hex.DecodeString(string(e.id))
		if err != nil || e.name == "" || strings.ContainsAny(e.name, "/\x00") {
			return nil, fmt.Errorf("encoding tree entry %q %q: malformed", e.name, e.id)
		}
		data = strconv.AppendUint(data, uint64(e.mode), 8)
		data = append(data, ' ')
		data = append(data, e.name...)
		data = append(data, 0)
		data = append(data, id...)
	}
	return data, nil
}

// commit is what the journal needs of a commit object.
type commit struct {
	tree    ObjectID
	parent  ObjectID // "" for the first
	merged  ObjectID // the second parent; "" for none
	when    time.Time
	ident   string
	message string
}

func formatCommit(c commit) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "tree %s\n", c.tree)
	if c.parent != "" {
		fmt.Fprintf(&b, "parent %s\n", c.parent)
	}
	if c.merged != "" {
		fmt.Fprintf(&b, "parent %s\n", c.merged)
	}
	stamp := fmt.Sprintf("%s %d +0000", c.ident, c.when.Unix())
	fmt.Fprintf(&b, "author %s\ncommitter %s\n\n%s", stamp, stamp, c.message)
	return []byte(b.String())
}

func parseCommit(data []byte) (commit, error) {
	var c commit
	head, message, _ := strings.Cut(string(data), "\n\n")
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch {
		case key == "tree" && isHexID(value):
			c.tree = ObjectID(value)
		case key == "parent" && c.parent == "" && isHexID(value):
			c.parent = ObjectID(value)
		case key == "parent" && c.merged == "" && isHexID(value):
			c.merged = ObjectID(value)
		case key == "committer":
			fields := strings.Fields(value)
			if n := len(fields); n >= 2 {
				seconds, _ := strconv.ParseInt(fields[n-2], 10, 64)
				c.when = time.Unix(seconds, 0).UTC()
				c.ident = strings.Join(fields[:n-2], " ")
			}
		}
	}
	c.message = message
	if c.tree == "" {
		return c, errors.New("malformed commit")
	}
	return c, nil
}
