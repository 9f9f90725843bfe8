// Package gitcache keeps what git said of a clone for as long as nothing changes that it
// said it of: asking again costs two processes, a sixth of what a search costs
// (docs/design/0004-git-binary-and-go-git.md).
//
// Call [Look] each time before git would be asked, then [Answers.Get], and
// [Answers.Keep] after git was asked. An answer is found again only while all files
// that git reads for it have the contents they had, so that a wrong one would need
// a change that none of them shows; where git looks at more, as at files that the
// configuration includes, [Look] knows nothing. What is kept can be deleted at any
// time.
package gitcache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/stamp"
)

// Question is something that git is asked.
type Question string

// The questions.
const (
	Where    Question = "where"    // the repository is, and what HEAD is
	Settings Question = "settings" // are in force
)

// Asker is who would ask git.
type Asker struct {
	Git     string   // the binary
	Dir     string   // physical path of the folder that git would run in
	Environ []string // that git would get
	// Asks are the arguments that git would get: an answer to others is none.
	Asks map[Question][]string
}

// Answers are those that hold in the state that [Look] found. A nil one has none.
type Answers struct {
	Worktree
	Branch string // the full name of the branch that HEAD points to; "" where git has to say it
	// what git says of HEAD, and is not kept: the commit and the branch, or the branch alone where
	// no file says the commit
	Said string

	asker Asker
	keys  map[Question]string
}

// Look finds the clone that an asker is in, and its state; nil where only git can
// tell, or where there is no place to keep an answer.
func Look(a Asker) *Answers {
	w, ok := FindWorktree(a.Dir)
	if !ok {
		return nil
	}
	settings, ok := a.settings(w)
	if !ok || !atomicfile.IsFolder(w.Cache()) {
		return nil
	}
	branch, head := w.Head()
	said := branch
	if at := w.HeadCommit(); at != "" {
		said, head = at+"\n"+branch, "\n"+branch // the answer holds for each commit
	}
	out := &Answers{
		Worktree: w, Branch: branch, Said: said, asker: a,
		keys: map[Question]string{Settings: a.digest(Settings, settings)},
	}
	if branch != "" {
		out.keys[Where] = a.digest(Where, settings+head+a.Dir)
	}
	return out
}

func (a *Asker) digest(q Question, state string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q\n%s", a.Asks[q], state))
	return hex.EncodeToString(sum[:16])
}

// settings holds all that the configuration depends on: the binary, the files, the environment.
func (a *Asker) settings(w Worktree) (string, bool) {
	real, err := filepath.EvalSymlinks(a.Git)
	if err != nil {
		return "", false
	}
	var own []string // of a git that was built for another prefix, which may link to its own
	for _, binary := range []string{a.Git, real} {
		own = append(own, filepath.Join(filepath.Dir(filepath.Dir(binary)), "etc", "gitconfig"))
	}
	config, ok := gitcmd.ConfigState(w.Git, w.Common, a.Environ, own...)
	binary, _ := stamp.Lstat(real)
	return fmt.Sprintf("2 %q %q %d\n%q\n%s", a.Git, real, binary, w, config), ok
}

// kept is an answer as the file has it.
type kept struct {
	Key    string `json:"key"`
	Answer string `json:"answer"`
}

// file is where answers are kept, and most is how many: several folders of several
// working trees may be in use.
const (
	file = "git.json"
	most = 16
	size = 256 << 10
)

// key is the state that an answer to a question holds in; "" where none is kept.
func (a *Answers) key(q Question) string {
	if a == nil {
		return ""
	}
	return a.keys[q]
}

// Get returns the answer to a question.
func (a *Answers) Get(q Question) (answer []byte, ok bool) {
	key := a.key(q)
	if key == "" {
		return nil, false
	}
	all := a.load()
	i := slices.IndexFunc(all, func(k kept) bool { return k.Key == key })
	if i < 0 {
		return nil, false
	}
	return []byte(all[i].Answer), true
}

// Keep keeps an answer of git, if the state is still that of before git was asked, and
// nothing private is in it. The caller gives no names of branches, in which anything can be.
// An answer that cannot be kept is asked for again.
func (a *Answers) Keep(q Question, answer []byte) {
	key := a.key(q)
	if key == "" || !keepable(string(answer)) || Look(a.asker).key(q) != key {
		return
	}
	all := lists.Without(a.load(), func(k kept) bool { return k.Key == key })
	all = append(all, kept{key, string(answer)})
	for all = all[max(0, len(all)-most):]; len(all) > 0; all = all[1:] { // the oldest give way
		data, _ := json.Marshal(all) // of strings alone
		if len(data) <= size {
			_ = atomicfile.WritePath(filepath.Join(a.Cache(), file), data,
				atomicfile.Options{Mode: 0o600, NoSync: true})
			return
		}
	}
}

// keepable reports whether an answer may be in a file of the clone: not what may hold a
// password, nor what the user set for cortex outside of the clone, as a command with a
// token or patterns of their secrets, nor what JSON cannot hold, as a path that is not in UTF-8.
func keepable(answer string) bool {
	return utf8.ValidString(answer) && !secret(answer) && !outside(answer)
}

// outside reports whether git's list of settings, each with its scope, has one of cortex
// that is not of the clone: of the user, the system or the environment.
func outside(answer string) bool {
	for set := range slices.Chunk(strings.Split(answer, "\x00"), 2) {
		ofClone := slices.Contains([]string{"local", "worktree"}, set[0])
		if !ofClone && strings.HasPrefix(set[len(set)-1], "cortex.") {
			return true
		}
	}
	return false
}

// secret reports whether there is an address with a password, or with a name that may be
// one: only that of ssh is none.
func secret(answer string) bool {
	named := regexp.MustCompile(`ssh://[^:/@\n\x00]*@`).ReplaceAllString(answer, "")
	return regexp.MustCompile(`://[^/\n\x00]*@`).MatchString(named)
}

func (a *Answers) load() (all []kept) {
	data, _ := atomicfile.Read(filepath.Join(a.Cache(), file), size) // none: git is asked
	_ = json.Unmarshal(data, &all)
	return all
}
