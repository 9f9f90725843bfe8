package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/memory"
)

// The diary is what hooks leave behind for people, in the cache folder: a log,
// a heartbeat for each event, and what each session was shown. All of it can
// be deleted at any time.

const maxLog = 256 << 10

// Note appends one line to the log. Trouble with the log itself is nobody's.
func (w *Workspace) Note(ctx context.Context, format string, args ...any) {
	path := filepath.Join(w.Repo.CacheDir(), "log")
	if info, err := os.Stat(path); err == nil && info.Size() > maxLog {
		_ = os.Rename(path, path+".1")
	}
	if os.MkdirAll(w.Repo.CacheDir(), 0o777) != nil {
		return
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return
	}
	line := memory.OneLine(memory.Clean(w.secrets.without(ctx, fmt.Sprintf(format, args...))))
	_, _ = fmt.Fprintf(f, "%s %s\n", w.Now().UTC().Format(time.RFC3339), line)
	_ = f.Close()
}

// Beat is the last run of one hook.
type Beat struct {
	Time  string  `json:"time"`
	MS    float64 `json:"ms"`
	Error string  `json:"error,omitempty"`
}

// Heartbeat is the last run of each hook, by event.
func (w *Workspace) Heartbeat() map[string]Beat {
	out := map[string]Beat{}
	data, err := os.ReadFile(filepath.Join(w.Repo.CacheDir(), "heartbeat.json"))
	if err == nil && json.Unmarshal(data, &out) != nil {
		return map[string]Beat{}
	}
	return out
}

// Beat records that a hook ran, and how it went.
func (w *Workspace) Beat(ctx context.Context, event string, took time.Duration, failed error) {
	all := w.Heartbeat()
	b := Beat{Time: w.Now().UTC().Format(time.RFC3339), MS: float64(took.Microseconds()) / 1000}
	if failed != nil {
		b.Error = memory.OneLine(memory.Clean(w.secrets.without(ctx, failed.Error())))
		w.Note(ctx, "hook %s: %s", event, b.Error)
	}
	all[event] = b
	data, err := json.Marshal(all)
	if err == nil {
		_ = w.writeCache("heartbeat.json", data)
	}
}

// writeCache replaces a file of the cache folder, which can be made again.
func (w *Workspace) writeCache(name string, data []byte) error {
	path := filepath.Join(w.Repo.CacheDir(), name)
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = atomicfile.WritePath(path, data, atomicfile.Options{NoSync: true})
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

// shownFile is where the ids that a session was shown are kept.
func shownFile(session string) string {
	return filepath.Join("shown", strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, session[:min(len(session), 80)]))
}

// shown is the set of memories that a session has been given already.
func (w *Workspace) shown(session string) map[memory.ID]bool {
	out := map[memory.ID]bool{}
	data, err := os.ReadFile(filepath.Join(w.Repo.CacheDir(), shownFile(session)))
	if session == "" || err != nil {
		return out
	}
	for word := range strings.FieldsSeq(string(data)) {
		if id, err := memory.ParseID(word); err == nil {
			out[id] = true
		}
	}
	return out
}

// rememberShown adds to that set; afresh starts it anew.
func (w *Workspace) rememberShown(session string, ids []memory.ID, afresh bool) error {
	if session == "" || len(ids) == 0 {
		return nil
	}
	all := map[memory.ID]bool{}
	if !afresh {
		all = w.shown(session)
	}
	for _, id := range ids {
		all[id] = true
	}
	var b strings.Builder
	for id := range all {
		b.WriteString(string(id) + "\n")
	}
	return w.writeCache(shownFile(session), []byte(b.String()))
}

func (w *Workspace) forgetShown(session string) {
	if session != "" {
		_ = os.Remove(filepath.Join(w.Repo.CacheDir(), shownFile(session)))
	}
}
