package gitops

import (
	"fmt"
	"net/url"
	"strings"

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
		return c != '%' && gitobject.PlainName(string(rune(c)))
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

// validPath checks a journal path against FORMAT.md, "Journal": the known
// folders with their depth, and components that mean the same everywhere.
func validPath(path string) bool {
	parts := strings.Split(path, "/")
	for _, part := range parts {
		if !gitobject.PlainName(part) {
			return false
		}
	}
	last := parts[len(parts)-1]
	switch parts[0] {
	case "pending": // pending/<branch>/<type>/<yyyy-mm>/<slug>-<id7>.md
		return len(parts) == 5 && isBranch(parts[1]) && isMonth(parts[3]) && strings.HasSuffix(last, ".md")
	case "sessions": // sessions/<yyyy-mm>/<agent>-<session>.md
		return len(parts) == 3 && isMonth(parts[1]) && strings.HasSuffix(last, ".md")
	case "access": // access/<clone>.tsv
		return len(parts) == 2 && strings.HasSuffix(last, ".tsv")
	case "dismissed", "received", "accepted": // dismissed/<id>, received/<id or record>, accepted/<blob>
		return len(parts) == 2
	}
	return false
}

func isBranch(component string) bool {
	_, ok := DecodeBranch(component)
	return ok
}

// isMonth is true for "yyyy-mm".
func isMonth(s string) bool {
	return len(s) == 7 && s[4] == '-' && strings.Trim(s[:4]+s[5:], "0123456789") == "" &&
		s[5:] >= "01" && s[5:] <= "12"
}
