// Package gitcache keeps what git said of a clone for as long as nothing changes that it
// said it of: asking again costs a process, which costs more than most commands do.
//
// Call [Look] each time before git would be asked, then [Answers.Get], and
// [Answers.Keep] after git was asked. An answer is found again only while all files
// that git reads for it have the contents they had, so that a wrong one would need
// a change that none of them shows; where git looks at more, as at files that the
// configuration includes, [Look] knows nothing. What is kept can be deleted at any
// time.
package gitcache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-cortex/cortex/internal/atomicfile"
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
	// Config are the files in which git looks for the configuration of a repository.
	Config func(gitDir, commonDir string, environ []string) []string
}

// Answers are those that hold in the state that [Look] found. A nil one has none.
type Answers struct {
	Place
	Branch string // the full name of the branch that HEAD points to; "" where git has to say it

	asker Asker
	keys  map[Question]string
}

// Look finds the clone that an asker is in, and its state; nil where only git can
// tell, or where there is no place to keep an answer.
func Look(a Asker) *Answers {
	p, ok := find(a.Dir)
	if !ok {
		return nil
	}
	if info, err := os.Lstat(p.cache()); err != nil || !info.IsDir() {
		return nil
	}
	settings, ok := p.settings(a)
	if !ok {
		return nil
	}
	out := &Answers{Place: p, asker: a, keys: map[Question]string{Settings: a.digest(Settings, settings)}}
	if branch, state, ok := p.head(); ok {
		out.Branch = branch
		out.keys[Where] = a.digest(Where, settings+branch+"\n"+state+"\n"+a.Dir)
	}
	return out
}

func (a *Asker) digest(q Question, state string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q\n%s", a.Asks[q], state))
	return hex.EncodeToString(sum[:16])
}

// settings holds all that the configuration depends on.
func (p Place) settings(a Asker) (string, bool) {
	var b strings.Builder
	git, err := os.Stat(a.Git)
	if err != nil {
		return "", false
	}
	real, err := filepath.EvalSymlinks(a.Git)
	if err != nil {
		return "", false
	}
	fmt.Fprintf(&b, "1 %q %q %d %d\n%q %q\n", a.Git, real, git.Size(), git.ModTime().UnixNano(), p.Git, p.Common)
	for _, v := range slices.Sorted(slices.Values(a.Environ)) {
		if name, _, _ := strings.Cut(v, "="); name == "HOME" || name == "XDG_CONFIG_HOME" || strings.HasPrefix(name, "GIT_") {
			fmt.Fprintf(&b, "%q\n", v)
		}
	}
	names := a.Config(p.Git, p.Common, a.Environ)
	for _, binary := range []string{a.Git, real} { // as of a git that was built for another prefix, which may link to its own
		names = append(names, filepath.Join(filepath.Dir(filepath.Dir(binary)), "etc", "gitconfig"))
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) || bytes.Contains(bytes.ToLower(data), []byte("[include")) {
			return "", false
		}
		fmt.Fprintf(&b, "%q %v\n", data, err != nil)
	}
	return b.String(), true
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

// Get returns the answer to a question.
func (a *Answers) Get(q Question) (answer []byte, ok bool) {
	if a == nil || a.keys[q] == "" {
		return nil, false
	}
	for _, k := range a.load() {
		if k.Key == a.keys[q] {
			return []byte(k.Answer), true
		}
	}
	return nil, false
}

// Keep keeps an answer of git, if the state is still that of before git was asked.
// What may hold a password is not kept, nor what the user set for cortex outside of the
// clone, as a command with a token or patterns of their secrets; and the caller gives no names of branches, in
// which anything can be. Neither is what JSON cannot hold, as a path that is not in UTF-8.
// An answer that cannot be kept is asked for again.
func (a *Answers) Keep(q Question, answer []byte) {
	if a == nil || a.keys[q] == "" || secret(string(answer)) || q == Settings && outside(string(answer)) || !utf8.Valid(answer) {
		return
	}
	now := Look(a.asker)
	if now == nil || now.keys[q] != a.keys[q] {
		return
	}
	all := slices.DeleteFunc(a.load(), func(k kept) bool { return k.Key == a.keys[q] })
	all = append(all, kept{a.keys[q], string(answer)})
	for all = all[max(0, len(all)-most):]; len(all) > 0; all = all[1:] { // the oldest give way
		if data, err := json.Marshal(all); err == nil && len(data) <= size {
			_ = atomicfile.WritePath(filepath.Join(a.cache(), file), data, atomicfile.Options{Mode: 0o600, NoSync: true})
			return
		}
	}
}

// outside reports whether git's list of settings, each with its scope, has one of cortex
// that is not of the clone: of the user, the system or the environment.
func outside(answer string) bool {
	fields := strings.Split(answer, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		if fields[i] != "local" && fields[i] != "worktree" && strings.HasPrefix(fields[i+1], "cortex.") {
			return true
		}
	}
	return false
}

// secret reports whether there is a URL with a password, or what may be one.
func secret(answer string) bool {
	for {
		before, rest, ok := strings.Cut(answer, "://")
		if !ok {
			return false
		}
		authority := rest
		if i := strings.IndexAny(rest, "/\n\x00"); i >= 0 {
			authority = rest[:i]
		}
		user, _, named := strings.Cut(authority, "@")
		if named && (strings.Contains(user, ":") || !strings.HasSuffix(before, "ssh")) {
			return true
		}
		answer = rest
	}
}

func (a *Answers) load() []kept {
	name := filepath.Join(a.cache(), file)
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Size() > size {
		return nil
	}
	data, err := os.ReadFile(name)
	var all []kept
	if err != nil || json.Unmarshal(data, &all) != nil {
		return nil
	}
	return all
}
