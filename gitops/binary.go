package gitops

import (
	"path/filepath"
	"strings"
)

// Binary is how git's hooks and merge drivers call cortex: by Name where PATH
// has it, else at Path, because programs with windows run git with a PATH of
// their own. Either may be "".
type Binary struct {
	Name string
	Path string // absolute
}

// call is a line of shell that runs cortex with args, or otherwise when it is
// nowhere to be found.
func (b Binary) call(args, otherwise string) string {
	var line strings.Builder
	word := "if"
	for _, name := range b.words() {
		line.WriteString(word + " command -v " + name + " >/dev/null 2>&1; then " + name + " " + args + "; ")
		word = "elif"
	}
	if word == "if" {
		return otherwise
	}
	if otherwise != "" {
		line.WriteString("else " + otherwise + "; ")
	}
	return line.String() + "fi"
}

func (b Binary) words() []string {
	var words []string
	if b.Name != "" {
		words = append(words, shellQuote(b.Name))
	}
	if b.Path != "" {
		words = append(words, shellQuote(filepath.ToSlash(b.Path)))
	}
	return words
}

func (b Binary) String() string {
	if b.Name != "" {
		return b.Name
	}
	return b.Path
}
