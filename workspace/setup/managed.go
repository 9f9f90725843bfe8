package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

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
				if strings.TrimSpace(strings.TrimPrefix(string(rest), "\ufeff")) == "{}" {
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
