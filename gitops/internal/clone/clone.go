// Package clone makes git call cortex: by hooks and by merge drivers that are
// written into the clone's own configuration, its info/attributes and, before git
// 2.54, its hook scripts. What the user or another program has there stays, and what
// was written is taken out again to the byte.
//
// Fill a [Clone], then call [Clone.Hooks] or [Clone.Drivers].
package clone

import (
	"path/filepath"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// Clone is where hooks and drivers are written.
type Clone struct {
	Git       *gitcmd.Runner
	HooksDir  string // where git looks for hooks
	Root      string // the top of the working tree; "" when there is none
	GitDir    string
	CommonDir string
	Changing  *sync.Mutex // held by whoever changes hooks or drivers
}

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
		words = append(words, gitcmd.Quote(b.Name))
	}
	if b.Path != "" {
		words = append(words, gitcmd.Quote(filepath.ToSlash(b.Path)))
	}
	return words
}

func (b Binary) String() string {
	if b.Name != "" {
		return b.Name
	}
	return b.Path
}
