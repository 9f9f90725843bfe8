package hookstate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/workspace/internal/diary"
)

// settledFile holds the newest states in which reading a transcript changed
// nothing, one a line, and settledStates is how many: several sessions may be at
// work in a clone.
const (
	settledFile   = "settled"
	settledStates = 64
)

// settledVersion tells states from those of a version that noted as settled what it may
// not have read.
const settledVersion = 3

// Reading returns a fingerprint of all that reading the given files into the journal
// depends on, beside the clock: the files, the journal and what waits for it, HEAD,
// the settings of git and of the project, and the environment; more is what the
// caller adds. It is "" where that cannot be told without git.
func (p Place) Reading(environ, files []string, more ...string) string {
	if !atomicfile.IsFolder(p.Cache()) {
		return "" // there is none, or it is a link
	}
	if info, err := os.Lstat(filepath.Join(p.Cache(), "spool")); err == nil && info.Size() > 0 {
		return "" // it is for the next reading to commit
	}
	config, ok := gitops.ConfigState(p.Git, p.Common, environ)
	if !ok || p.joining() { // in the latter case the pages may have to be rendered
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d %q\n%s", settledVersion, more, config)
	for _, v := range slices.Sorted(slices.Values(environ)) {
		if strings.HasPrefix(v, "CORTEX_") {
			fmt.Fprintf(&b, "%q\n", v)
		}
	}
	_, head := p.Head()
	b.WriteString(head)
	p.markJournal(&b)
	marked := []string{
		filepath.Join(p.Common, "packed-refs"), filepath.Join(p.Cache(), "recalls"),
		filepath.Join(p.Root, filepath.FromSlash(ConfigPath)),
	}
	for _, name := range append(marked, files...) {
		b.WriteString(gitops.FileMark(name))
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:16])
}

// Unchanged reports whether reading in a state, see [Place.Reading], is known to
// change nothing.
func (p Place) Unchanged(state string) bool {
	return state != "" && slices.Contains(p.unchanged(), state)
}

// KeepUnchanged notes that reading in a state changes nothing. A note that cannot be written
// is no reason to stop.
func (p Place) KeepUnchanged(state string) {
	states := p.unchanged()
	if state == "" || slices.Contains(states, state) {
		return
	}
	states = append(states, state)
	states = states[max(0, len(states)-settledStates):]
	_ = atomicfile.WritePath(filepath.Join(p.Cache(), settledFile), []byte(strings.Join(states, "\n")+"\n"),
		atomicfile.Options{NoSync: true})
}

func (p Place) unchanged() []string {
	data, _ := atomicfile.Read(filepath.Join(p.Cache(), settledFile), 64<<10) // else none is known
	return strings.Fields(string(data))
}

// SetUp reports whether `cortex init` was run in the clone, as far as that can be told
// without git, and nothing is wrong with the folder of its cache. The record of what
// init did says so, or the clone's own configuration, as where the cache was deleted.
func (p Place) SetUp() bool {
	if folder, err := os.Lstat(p.Cache()); err == nil && !folder.IsDir() {
		return false
	}
	record, err := os.Lstat(filepath.Join(p.Cache(), "installed.json"))
	if err == nil && record.Mode().IsRegular() {
		return true
	}
	data, _ := os.ReadFile(filepath.Join(p.Common, "config"))
	return switchedOn(string(data))
}

// switchedOn reports whether a file of git's configuration, as git writes it, has
// cortex.enabled.
func switchedOn(config string) bool {
	ours, on := false, false
	for line := range strings.Lines(config) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			ours = strings.EqualFold(line, "[cortex]")
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		if ours && strings.EqualFold(strings.TrimSpace(key), "enabled") {
			on = strings.TrimSpace(value) == "true"
		}
	}
	return on
}

// Diary is the diary of the clone. It knows what everybody takes for a secret, and not
// the patterns of the user, which are in git's configuration.
func (p Place) Diary(now func() time.Time) *diary.Diary {
	return diary.New(p.Cache(), now, func(_ context.Context, text string) string {
		text, _ = redact.String(text)
		return text
	})
}
