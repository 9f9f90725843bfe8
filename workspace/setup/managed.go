package setup

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/marked"
	"github.com/git-cortex/cortex/templates"
	"github.com/git-cortex/cortex/workspace"
)

// managed is one file that Init writes: how our part is added, and how it is taken
// out where there is no record of what the file held.
type managed struct {
	path string // relative to the top of the working tree
	what string
	add  func(old []byte, exists bool) ([]byte, error)
	take func(now []byte) (rest []byte, err error) // nil rest: the file is removed
}

func managedFiles(ctx context.Context, w *workspace.Workspace, agents []string) []managed {
	files := []managed{
		wholeFile(".cortex/README.md", "what this folder is", templates.Readme()),
		wholeFile(".cortex/config.yaml", "the team's settings", configFile(ctx, w)),
		blockFile(".gitattributes", "line ends and merging",
			marked.Block{Name: "attributes", Body: string(templates.GitAttributes())}),
	}
	if slices.Contains(agents, "claude-code") {
		rules := wholeFile(".claude/rules/cortex.md", "how Claude Code adds memories", templates.Rules())
		files = append(files, rules, managed{
			path: ".claude/settings.json", what: "hooks of Claude Code",
			add: func(old []byte, _ bool) ([]byte, error) {
				hooks, err := claudeHooks()
				if err != nil {
					return nil, err
				}
				return addAgentHooks(old, hooks)
			},
			take: func(now []byte) ([]byte, error) {
				rest, err := removeAgentHooks(now)
				if strings.TrimSpace(string(rest)) == "{}" {
					return nil, err
				}
				return rest, err
			},
		})
	}
	return files
}

// configFile is the default policy with the mode of projections that suits
// the repository: with a hosted remote pull requests must not conflict.
func configFile(ctx context.Context, w *workspace.Workspace) []byte {
	return regexp.MustCompile(`(?m)^projections: .*$`).ReplaceAll(templates.Config(), []byte("projections: "+suggestedMode(ctx, w)))
}

func suggestedMode(ctx context.Context, w *workspace.Workspace) string {
	if len(HostedRemotes(ctx, w)) > 0 {
		return "default-branch"
	}
	return "branch"
}

func wholeFile(path, what string, content []byte) managed {
	return managed{
		path: path, what: what,
		add: func(old []byte, exists bool) ([]byte, error) {
			if exists {
				return old, nil
			}
			return content, nil
		},
		take: func(now []byte) ([]byte, error) {
			if bytes.Equal(workspace.NormalEOL(now), content) {
				return nil, nil
			}
			return now, nil
		},
	}
}

func blockFile(path, what string, b marked.Block) managed {
	return managed{
		path: path, what: what,
		add: func(old []byte, exists bool) ([]byte, error) {
			if !exists {
				old = nil
			} else if old == nil {
				old = []byte{}
			}
			return marked.Insert(old, b)
		},
		take: func(now []byte) ([]byte, error) { return marked.Remove(now, b) },
	}
}

// claudeHooks reads the entries of the template in the order of its events.
func claudeHooks() ([]agentHook, error) {
	data := templates.ClaudeHooks()
	root, err := parseJSON(data)
	if err != nil {
		return nil, err
	}
	all, _ := root.member("hooks")
	var out []agentHook
	for _, event := range all.value.members {
		for _, e := range event.value.elements {
			var entry bytes.Buffer
			if err := json.Indent(&entry, data[e.start:e.end], "", "  "); err != nil {
				return nil, err
			}
			out = append(out, agentHook{event: event.key, entry: entry.String()})
		}
	}
	return out, nil
}

// installed records what the files held before Init. It is kept in the cache
// folder. Without it Uninstall takes out our parts instead of restoring files.
type installed struct {
	Files map[string]found `json:"files"`
	known bool             // there is such a record
}

type found struct {
	Existed bool   `json:"existed"`
	Before  []byte `json:"before,omitempty"` // base64 in the file
	After   string `json:"after"`            // SHA-256 of what we left
}

const installedFile = "installed.json"

func loadInstalled(dir string) installed {
	var in installed
	data, err := os.ReadFile(filepath.Join(dir, installedFile))
	if err != nil || json.Unmarshal(data, &in) != nil || in.Files == nil {
		return installed{Files: map[string]found{}}
	}
	in.known = true
	return in
}

func (in installed) store(dir string) error {
	data, err := json.Marshal(in)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("writing %s: %w", installedFile, err)
	}
	// Not a cache: only this knows what the files held before.
	return atomicfile.WritePath(filepath.Join(dir, installedFile), data, atomicfile.Options{})
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// files are the managed files of one run.
type files struct {
	tree   workspace.Folder
	record installed
	dry    bool
}

// add puts our part into a file, and records what the file held.
func (f *files) add(m managed) (Step, error) {
	step := Step{Path: m.path, What: m.what, Action: "unchanged"}
	old, exists, err := f.tree.Read(m.path)
	if err != nil {
		return step, err
	}
	now, err := m.add(old, exists)
	if err != nil {
		return step, fmt.Errorf("%s: %w", m.path, err)
	}
	if exists && bytes.Equal(old, now) {
		return step, nil
	}
	step.Action = "changed"
	if !exists {
		step.Action = "created"
	}
	if f.dry {
		return step, nil
	}
	if _, ours := f.record.Files[m.path]; !ours {
		f.record.Files[m.path] = found{Existed: exists, Before: old, After: digest(now)}
	}
	_, err = f.tree.Write(m.path, now)
	return step, err
}

// take restores a file that is as we left it; from another it takes our part out.
func (f *files) take(m managed) (Step, error) {
	step := Step{Path: m.path, What: m.what, Action: "unchanged"}
	now, exists, err := f.tree.Read(m.path)
	if err != nil || !exists {
		return step, err
	}
	was, ours := f.record.Files[m.path]
	if f.record.known && !ours {
		return step, nil // it came with the repository: it is the team's
	}
	rest, gone := []byte(nil), false
	if ours && was.After == digest(now) {
		rest, gone = was.Before, !was.Existed
		step.Action = "restored"
	} else {
		if rest, err = m.take(now); err != nil {
			return step, fmt.Errorf("%s: %w", m.path, err)
		}
		gone = rest == nil
		if !gone && bytes.Equal(rest, now) {
			return step, nil
		}
		step.Action = "changed"
	}
	if gone {
		step.Action = "removed"
	}
	if f.dry {
		return step, nil
	}
	if gone {
		return step, f.tree.Remove(m.path, "")
	}
	_, err = f.tree.Write(m.path, rest)
	return step, err
}
