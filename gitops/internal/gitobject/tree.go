package gitobject

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// Mode is the mode of a tree entry.
type Mode = filemode.FileMode

// The modes of entries, as git reads them.
const (
	Dir        = filemode.Dir
	Regular    = filemode.Regular
	Executable = filemode.Executable
	Symlink    = filemode.Symlink
	Submodule  = filemode.Submodule
)

// Entry is one line of a git tree object.
type Entry struct {
	Mode Mode
	Name string
	ID   ID
}

// IsDir is true for a folder.
func (e Entry) IsDir() bool { return e.Mode == filemode.Dir }

// Folder is the tree of a folder; "" for anything else.
func (e Entry) Folder() ID {
	if e.IsDir() {
		return e.ID
	}
	return ""
}

// IsFile is true for what cortex reads: regular files, executable or not.
func (e Entry) IsFile() bool {
	return slices.Contains([]filemode.FileMode{filemode.Regular, filemode.Executable}, e.Mode)
}

// key orders entries as git does: a folder sorts as if its name ended in "/".
func (e Entry) key() string {
	if e.IsDir() {
		return e.Name + "/"
	}
	return e.Name
}

// Commit holds the parts of a commit object that the journal needs.
type Commit struct {
	Tree    ID
	Parent  ID // "" for the first
	Merged  ID // the second parent; "" for none
	When    time.Time
	Ident   string // "Name <mail>"
	Message string
}

// checkName refuses what no tree may name: neither go-git nor git's own decoder
// minds a slash.
func checkName(name string) error {
	if name == "" || strings.ContainsAny(name, "/\x00") {
		return fmt.Errorf("%q is not the name of a tree entry", name)
	}
	return nil
}

// setParents keeps the first two parents.
func (c *Commit) setParents(ids []ID) {
	ids = append(ids, "", "")
	c.Parent, c.Merged = ids[0], ids[1]
}
