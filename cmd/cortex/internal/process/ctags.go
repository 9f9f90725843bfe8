package process

import (
	"context"
	"os/exec"
	"time"
)

// tagPatience bounds how long ctags may take for a file.
const tagPatience = 10 * time.Second

// Ctags returns a function that runs Universal Ctags on a file that is named by a whole path, nil where
// it is not there. It reads no settings, of the user or of a repository: those could name programs.
// Another ctags refuses the flags.
func Ctags() func(ctx context.Context, file string) ([]byte, error) {
	program, err := exec.LookPath("ctags")
	if err != nil {
		return nil
	}
	return func(ctx context.Context, file string) ([]byte, error) {
		limited, cancel := context.WithTimeout(ctx, tagPatience)
		defer cancel()
		return exec.CommandContext(limited, program,
			"--options=NONE", "--output-format=json", "--fields=+neKZs", "--sort=no", "-f", "-", file).Output()
	}
}
