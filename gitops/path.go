package gitops

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// EncodeBranch makes one path component of a branch name: every byte outside
// [A-Za-z0-9._-], a leading or trailing dot and a leading hyphen become %XX. A detached HEAD,
// "", is "%".
func EncodeBranch(branch string) string {
	if branch == "" {
		return "%"
	}
	var b strings.Builder
	for i := range len(branch) {
		if staysPlain(branch, i) {
			b.WriteByte(branch[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", branch[i])
		}
	}
	return b.String()
}

// staysPlain reports whether a byte of a branch's name stands for itself in a path.
func staysPlain(branch string, i int) bool {
	switch c := branch[i]; c {
	case '-':
		return i > 0
	case '.':
		return i > 0 && i < len(branch)-1
	default:
		return c != '%' && gitobject.PlainName(branch[i:i+1])
	}
}

// DecodeBranch is the inverse of [EncodeBranch]; ok is false for a component
// that EncodeBranch would not have written.
func DecodeBranch(component string) (branch string, ok bool) {
	if component == "%" {
		return "", true
	}
	branch, err := url.PathUnescape(component)
	return branch, err == nil && branch != "" && EncodeBranch(branch) == component
}

// PendingPrefix is the journal folder of a branch's pending memories.
func PendingPrefix(branch string) string { return "pending/" + EncodeBranch(branch) }

// maxDepth is how many components a journal path has at most.
const maxDepth = 8

// journalFolder is a folder of the journal, and what the components of a path below it are.
type journalFolder struct {
	name  string
	below []func(component string) bool
}

// journalFolders are those of FORMAT.md, "Journal".
var journalFolders = []journalFolder{
	{"pending", []func(string) bool{isBranch, isAny, isMonth, isPage}}, // <branch>/<type>/<yyyy-mm>/<slug>-<id7>.md
	{"sessions", []func(string) bool{isMonth, isPage}},                 // <yyyy-mm>/<agent>-<session>.md
	{"access", []func(string) bool{isTable}},                           // <clone>.tsv
	{"dismissed", []func(string) bool{isAny}},                          // <id>
	{"received", []func(string) bool{isAny}},                           // <id or record>
	{"accepted", []func(string) bool{isAny}},                           // <blob>
}

// validPath checks a journal path: the known folders with their depth, and components
// that mean the same everywhere.
func validPath(name string) bool {
	dir, file := path.Split(name)
	return namesIn(dir)(file)
}

// namesIn says which names files may have in a folder of the journal, given with a slash behind it.
func namesIn(dir string) func(name string) bool {
	never := func(string) bool { return false }
	parts := strings.Split(strings.TrimSuffix(dir, "/"), "/")
	below := below(parts[0])
	if len(parts) != len(below) { // as of an unknown folder
		return never
	}
	for i, part := range parts[1:] {
		if !fits(part, below[i]) {
			return never
		}
	}
	return func(name string) bool { return fits(name, below[len(below)-1]) }
}

// fits reports whether a component of a path is a plain name and of its kind.
func fits(name string, kind func(string) bool) bool { return gitobject.PlainName(name) && kind(name) }

// below returns the kinds of components that a path has below a folder; nil for an unknown folder.
func below(folder string) []func(component string) bool {
	i := slices.IndexFunc(journalFolders, func(f journalFolder) bool { return f.name == folder })
	if i < 0 {
		return nil
	}
	return journalFolders[i].below
}

func isAny(string) bool { return true }

func isPage(component string) bool { return strings.HasSuffix(component, ".md") }

func isTable(component string) bool { return strings.HasSuffix(component, ".tsv") }

func isBranch(component string) bool {
	_, ok := DecodeBranch(component)
	return ok
}

// isMonth is true for "yyyy-mm".
func isMonth(component string) bool {
	_, err := time.Parse("2006-01", component)
	return err == nil
}
