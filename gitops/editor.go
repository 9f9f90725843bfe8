package gitops

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// Terminal is where the user is, for a program that talks to them.
type Terminal struct {
	In       io.Reader
	Out, Err io.Writer
}

// editorAlias has git run the editor, as its own scripts do: `git var` knows
// GIT_EDITOR, core.editor, VISUAL and EDITOR, and git has a shell everywhere.
const editorAlias = `alias.cortex-editor=!f() { eval "$(git var GIT_EDITOR) \"\$@\""; }; f`

// Editor runs the user's editor, the one that git commit opens, on the file
// name and waits for it. environ is the user's own environment: an editor needs
// the locale and the terminal that git children of ours go without.
func (r *Repo) Editor(ctx context.Context, environ []string, name string, at Terminal) error {
	cmd := exec.CommandContext(ctx, r.git.Binary, "-c", editorAlias, "cortex-editor", name)
	cmd.Dir = r.git.Dir
	for _, kv := range environ {
		switch name, _, _ := strings.Cut(kv, "="); name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
			"GIT_ALTERNATE_OBJECT_DIRECTORIES":
		default:
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = at.In, at.Out, at.Err
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return fmt.Errorf("the editor ended with status %d", exit.ExitCode())
	}
	if err != nil {
		return fmt.Errorf("running the editor: %w", err)
	}
	return nil
}
