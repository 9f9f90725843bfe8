package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"path"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/markers"
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
	// what replaces a file that is as an earlier version left it; nil for none
	own []byte

	shared bool // it is a file of the user's in which there need be nothing of ours
}

// attributesFile has the rules by which git merges memories and pages.
const attributesFile = ".gitattributes"

func managedFiles(w *workspace.Workspace, opt Options) []managed {
	files := []managed{
		wholeFile(".cortex/README.md", "what this folder is", templates.Readme()),
		blockFile(attributesFile, "line ends and merging", attributes(w, opt)),
	}
	return append(files, agentFiles(opt.Agents)...)
}

// agentFiles are the files that the chosen agents read.
func agentFiles(chosen []string) (files []managed) {
	for _, a := range agents() {
		if slices.Contains(chosen, a.name) {
			files = append(files, a.files...)
		}
	}
	return files
}

// attributes are the lines of .gitattributes that the team's settings ask for, and those of
// files with a surface.
func attributes(w *workspace.Workspace, opt Options) markers.Block {
	lines := string(templates.GitAttributes(w.Config.Review == "fold"))
	return markers.Block{Name: "attributes", Body: lines + surfaceAttributes(w, opt)}
}

// teamHooks are the scripts of the team through which git calls cortex, and those that
// an earlier Init wrote to.
func teamHooks(ctx context.Context, w *workspace.Workspace, record installed) ([]managed, error) {
	hooks, err := w.Repo.Hooks().TeamHooks(ctx)
	for _, at := range slices.Sorted(maps.Keys(record.Files)) {
		known := slices.ContainsFunc(hooks, func(h gitops.TeamHook) bool { return h.Path == at })
		if slices.Contains(gitops.HookNames(), path.Base(at)) && !known {
			hooks = append(hooks, gitops.TeamHookAt(at))
		}
	}
	var files []managed
	for _, h := range hooks {
		files = append(files, blockFile(h.Path, "husky runs it: "+hookPurpose(path.Base(h.Path)), h.Block))
	}
	return files, err
}

// hooksFile is a file in which agents look for hooks, with those of a template.
func hooksFile(path, what string, template []byte) managed {
	return managed{
		path: path, what: what,
		add: func(old []byte, _ bool) ([]byte, error) {
			hooks, err := hooksOf(template)
			if err == nil {
				old, err = addVersion(old, template)
			}
			if err != nil {
				return nil, err
			}
			return addAgentHooks(old, hooks)
		},
		take: func(now []byte) ([]byte, error) {
			rest, err := removeAgentHooks(now)
			if isBare(rest) {
				return nil, err
			}
			return rest, err
		},
	}
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

// ownFile is a [wholeFile] that is a program of ours, with no word of the user's. It
// holds mark in every version; a file without it is somebody else's.
func ownFile(path, what string, content []byte, mark string) managed {
	m := wholeFile(path, what, content)
	m.own = content
	m.add = func(old []byte, exists bool) ([]byte, error) {
		switch {
		case !exists:
			return content, nil
		case !bytes.Contains(old, []byte(mark)):
			return nil, errNotOurs
		}
		return old, nil
	}
	return m
}

// errNotOurs is a file of somebody else where cortex has to write one of its own.
var errNotOurs = errors.New("the file does not call cortex and is left alone; move it," +
	" or leave its agent out with --agent")

func blockFile(path, what string, b markers.Block) managed {
	return managed{
		path: path, what: what,
		add: func(old []byte, exists bool) ([]byte, error) {
			switch {
			case !exists:
				old = nil
			case old == nil:
				old = []byte{}
			}
			return markers.Insert(old, b)
		},
		take: func(now []byte) ([]byte, error) { return markers.Remove(now, b) },
	}
}

// hooksOf reads the entries of a template in the order of its events.
func hooksOf(data []byte) ([]agentHook, error) {
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
