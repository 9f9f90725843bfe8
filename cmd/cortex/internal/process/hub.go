package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"

	"github.com/git-cortex/cortex/internal/answer"
)

// hubProgram is the program that [Hub] runs.
const hubProgram = "cortex-hub"

// Call is how a program is run that stands in for a command.
type Call struct {
	Beside   string // the program that runs it: its folder is looked in first
	Dir      string
	Environ  []string
	In       io.Reader
	Out, Err io.Writer
}

// Ended is the end of a program that said itself what was wrong.
type Ended struct{ Code int }

func (e *Ended) Error() string { return fmt.Sprintf("%s ended with %d", hubProgram, e.Code) }

// Hub runs cortex-hub with arguments, as git runs programs of its own: the one that lies beside the
// program, else the one on PATH. An exit code of its own is an [Ended].
func Hub(ctx context.Context, call Call, args []string) error {
	program, err := findHub(call.Beside)
	if err != nil {
		return err
	}
	c := exec.CommandContext(ctx, program, args...)
	c.Dir, c.Env = call.Dir, call.Environ
	c.Stdin, c.Stdout, c.Stderr = call.In, call.Out, call.Err
	c.Cancel = func() error { return nil } // it hears of an interrupt itself
	err = c.Run()
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) && ended.ExitCode() > 0 {
		return &Ended{ended.ExitCode()}
	}
	return err
}

// findHub returns the path of cortex-hub.
func findHub(beside string) (string, error) {
	found, err := exec.LookPath(filepath.Join(filepath.Dir(beside), hubProgram))
	if err == nil {
		return found, nil
	}
	found, err = exec.LookPath(hubProgram)
	if err != nil {
		return "", answer.WithHint(errors.New("cortex-hub is not there: it is a program of its own"),
			"go install github.com/git-cortex/cortex/cmd/cortex-hub@latest")
	}
	return found, nil
}
