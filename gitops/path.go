package gitops

import (
	"fmt"
	"strconv"
	"strings"
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
		c := branch[i]
		if c == '-' && i > 0 || c != '-' && isWordByte(c) || c == '.' && i > 0 && i < len(branch)-1 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// DecodeBranch is the inverse of [EncodeBranch]; ok is false for a component
// that EncodeBranch would not have written.
func DecodeBranch(component string) (branch string, ok bool) {
	if component == "%" {
		return "", true
	}
	var b strings.Builder
	for i := 0; i < len(component); i++ {
		if component[i] != '%' {
			b.WriteByte(component[i])
			continue
		}
		if i+2 >= len(component) {
			return "", false
		}
		c, err := strconv.ParseUint(component[i+1:i+3], 16, 8)
		if err != nil {
			return "", false
		}
		b.WriteByte(byte(c))
		i += 2
	}
	branch = b.String()
	return branch, branch != "" && EncodeBranch(branch) == component
}

// PendingPrefix is the journal folder of a branch's pending memories.
func PendingPrefix(branch string) string { return "pending/" + EncodeBranch(branch) }

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

const (
	maxComponent = 1024 // bytes of a path component; a branch name triples when encoded
	maxDepth     = 8    // components of a journal path
)

// validPath checks a journal path against FORMAT.md, "Journal": the known
// folders with their depth, and components that mean the same everywhere.
func validPath(path string) bool {
	parts := strings.Split(path, "/")
	for _, part := range parts {
		if !validComponent(part) {
			return false
		}
	}
	last := parts[len(parts)-1]
	switch parts[0] {
	case "pending": // pending/<branch>/<type>/<yyyy-mm>/<slug>-<id7>.md
		if len(parts) != 5 || !strings.HasSuffix(last, ".md") || !isMonth(parts[3]) {
			return false
		}
		_, ok := DecodeBranch(parts[1])
		return ok
	case "sessions": // sessions/<yyyy-mm>/<agent>-<session>.md
		return len(parts) == 3 && isMonth(parts[1]) && strings.HasSuffix(last, ".md")
	case "access": // access/<clone>.tsv
		return len(parts) == 2 && strings.HasSuffix(last, ".tsv")
	case "dismissed", "received", "accepted": // dismissed/<id>, received/<id or record>, accepted/<blob>
		return len(parts) == 2
	}
	return false
}

// validComponent allows the characters of [EncodeBranch]'s output, and nothing
// that a file system or a shell could read in its own way.
func validComponent(s string) bool {
	if s == "" || len(s) > maxComponent || s[0] == '.' || s[0] == '-' || s[len(s)-1] == '.' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isWordByte(c) && c != '.' && c != '%' {
			return false
		}
	}
	return true
}

// isMonth is true for "yyyy-mm".
func isMonth(s string) bool {
	return len(s) == 7 && s[4] == '-' && strings.Trim(s[:4]+s[5:], "0123456789") == "" &&
		s[5:] >= "01" && s[5:] <= "12"
}
