package agents

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/git-cortex/cortex/gitops"
)

// TestNever: only what is wrong with a transcript itself has it count as read.
func TestNever(t *testing.T) {
	for _, err := range []error{ErrTranscript, fs.ErrNotExist, fs.ErrPermission} {
		if !never(fmt.Errorf("reading a.jsonl: %w", err)) {
			t.Errorf("%v: it is read again and again", err)
		}
	}
	for _, err := range []error{&gitops.GitError{Args: []string{"cat-file"}, Err: errors.New("exit status 128")}, errors.New("input/output error")} {
		if never(fmt.Errorf("reading the journal: %w", err)) {
			t.Errorf("%v: it is never read", err)
		}
	}
}
