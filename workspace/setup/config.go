package setup

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace"
)

// The keys that are ours in the section in which the user's own settings of
// cortex stand too.
const (
	enabledKey = "cortex.enabled"
	cloneKey   = "cortex.clone"
	curateKey  = "cortex.llm" // only if a person asked Init for it
)

// writeConfig makes the settings of Init, all at once, after it has recorded what
// git's configuration held.
func writeConfig(ctx context.Context, w *workspace.Workspace, opt Options, record installed) error {
	hooks, err := w.Repo.Hooks().Settings(ctx, opt.Binary)
	if err != nil {
		return err
	}
	settings := slices.Concat(gitops.DriverSettings(opt.Binary), hooks)
	if opt.Curate != nil {
		settings = append(settings, gitops.Setting{Key: curateKey, Value: *opt.Curate})
		record.Curate = true
	}
	config, err := w.Repo.Settings(ctx)
	if err != nil {
		return err
	}
	return changeConfig(ctx, w, func(local gitops.LocalConfig, before []byte) ([]byte, error) {
		settings := slices.Clone(settings)
		if w.CloneID(ctx) == "" {
			_, was, err := local.Edited(ctx, before)
			if err != nil {
				return nil, err
			}
			if was.Value(cloneKey) == config.LocalValue(cloneKey) { // no other Init was faster
				settings = append(settings, freshCloneID())
			}
		}
		settings = append(settings, gitops.Setting{Key: enabledKey, Value: "true"})
		after, was, err := local.Edited(ctx, before, settings...)
		if err != nil || bytes.Equal(before, after) {
			return after, err
		}
		_, recorded := record.Files[configName]
		record.note(configName, before, true, after, !recorded && was.Value(enabledKey) == "true",
			func(now []byte) ([]byte, error) {
				return withoutOurs(ctx, local, now, nil, record.Curate)
			})
		return after, record.store(w.Repo.CacheDir())
	})
}

// freshCloneID is a new name for this clone.
func freshCloneID() gitops.Setting {
	var id [8]byte
	_, _ = rand.Read(id[:]) // never fails, by its documentation
	return gitops.Setting{Key: cloneKey, Value: hex.EncodeToString(id[:])}
}

// restoreConfig takes our settings out of git's configuration.
func restoreConfig(ctx context.Context, w *workspace.Workspace, record installed) error {
	was, ours := record.Files[configName]
	return changeConfig(ctx, w, func(local gitops.LocalConfig, now []byte) ([]byte, error) {
		switch {
		case record.left(configName, now):
			return was.Before, nil
		case ours && bytes.Equal(now, was.Before):
			return now, nil
		}
		return withoutOurs(ctx, local, now, was.Before, record.Curate)
	})
}

// changeConfig replaces git's configuration by what change makes of it, however
// often somebody else is faster.
func changeConfig(ctx context.Context, w *workspace.Workspace,
	change func(local gitops.LocalConfig, now []byte) ([]byte, error),
) error {
	local := w.Repo.LocalConfig()
	for try := 0; ; try++ {
		now, err := local.Read()
		if err != nil {
			return fmt.Errorf("reading git's configuration: %w", err)
		}
		next, err := change(local, now)
		if err == nil {
			err = local.Replace(ctx, now, next)
		}
		if try == 10 || !errors.Is(err, gitops.ErrConfigChanged) {
			return err
		}
	}
}

// withoutOurs gives each of our keys the value that it has in before, or none.
// The command that curates is among them if Init has set it.
func withoutOurs(ctx context.Context, local gitops.LocalConfig, now, before []byte, curates bool) ([]byte, error) {
	_, was, err := local.Edited(ctx, before)
	if err != nil {
		return nil, err
	}
	edits := slices.Concat(gitops.DriverSettings(gitops.Binary{}), gitops.HookSettings(),
		[]gitops.Setting{
			{Key: cloneKey}, {Key: enabledKey}, {Key: workspace.MuteSetting}, {Key: workspace.AskSetting},
		})
	if curates {
		edits = append(edits, gitops.Setting{Key: curateKey})
	}
	for i := range edits {
		edits[i].Value = was.Value(edits[i].Key)
	}
	rest, _, err := local.Edited(ctx, now, edits...)
	return dropHeads(rest, before), err
}

// dropHeads takes out headings of our sections below which there is no setting,
// only a comment, unless they were there before: git leaves them.
func dropHeads(data, before []byte) []byte {
	lines := slices.Collect(bytes.Lines(data))
	var out []byte
	for i, line := range lines {
		if bytes.Contains(before, line) || !isEmptyHead(lines, i) {
			out = append(out, line...)
		}
	}
	return out
}

// isEmptyHead reports whether a line is the heading of a section of ours without a setting.
func isEmptyHead(lines [][]byte, i int) bool {
	continued := i > 0 && bytes.HasSuffix(bytes.TrimRight(lines[i-1], "\r\n"), []byte(`\`))
	return !continued && isOurHead(lines[i]) && !hasSetting(lines[i+1:])
}

func isOurHead(line []byte) bool {
	head := strings.ToLower(strings.TrimSpace(string(line)))
	if head == "[cortex]" {
		return true
	}
	for _, s := range slices.Concat(gitops.DriverSettings(gitops.Binary{}), gitops.HookSettings()) {
		section, name, _ := strings.Cut(s.Key[:strings.LastIndexByte(s.Key, '.')], ".")
		if head == "["+section+" \""+name+"\"]" {
			return true
		}
	}
	return false
}

// hasSetting reports whether a setting comes before the next heading.
func hasSetting(lines [][]byte) bool {
	for _, line := range lines {
		switch line = bytes.TrimSpace(line); {
		case len(line) == 0, line[0] == '#', line[0] == ';':
		case line[0] == '[':
			return false
		default:
			return true
		}
	}
	return false
}
