package history

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// Object is one of git's.
type Object struct {
	ID   gitobject.ID
	Kind string // blob, tree, commit or tag
	Size int64
}

// EachObject yields every object of the repository with its content, whether anything
// leads to it or not, in no order. The content is there until yield returns. What a partial
// clone has not fetched is not among them.
func (h Reader) EachObject(ctx context.Context, yield func(Object, io.Reader) error) error {
	args := []string{"cat-file", "--batch-all-objects", "--batch", "--buffer", "--unordered"}
	err := h.git.Stream(ctx, gitcmd.Command{Args: args}, func(in *bufio.Reader) error {
		for {
			line, err := in.ReadString('\n')
			if err == io.EOF && line == "" {
				return nil
			}
			o, ok := objectOf(line)
			if err != nil || !ok {
				return io.ErrUnexpectedEOF
			}
			content := io.LimitReader(in, o.Size)
			if err := yield(o, content); err != nil {
				return err
			}
			if _, err := io.Copy(io.Discard, content); err != nil {
				return err
			}
			if _, err := in.Discard(1); err != nil {
				return io.ErrUnexpectedEOF
			}
		}
	})
	if err != nil {
		return fmt.Errorf("reading all objects: %w", err)
	}
	return nil
}

func objectOf(line string) (o Object, ok bool) {
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return o, false
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	return Object{gitobject.ID(fields[0]), fields[1], size}, err == nil && size >= 0
}

// Missing counts the objects that something in the repository leads to and that are not
// there: in a partial clone those that were not fetched, else damage.
func (h Reader) Missing(ctx context.Context) (n int, err error) {
	args := []string{"rev-list", "--objects", "--missing=print", "--all", "--reflog", "--"}
	err = h.git.Stream(ctx, gitcmd.Command{Args: args}, func(in *bufio.Reader) error {
		for {
			line, err := in.ReadSlice('\n')
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = in.ReadSlice('\n')
			}
			if bytes.HasPrefix(line, []byte("?")) {
				n++
			}
			if err != nil {
				return endless(err)
			}
		}
	})
	if err != nil {
		return 0, fmt.Errorf("looking for missing objects: %w", err)
	}
	return n, nil
}

func endless(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// Changed is a change that a commit made to one file, against one of its parents. One of the ids is
// zeros where a file came or went.
type Changed struct {
	Commit        gitobject.ID
	Before, After gitobject.ID
	Path          string
}

// EachChange yields what the commits of some revisions did to files, merges against each
// parent. A rename is a file that went and one that came.
func (h Reader) EachChange(ctx context.Context, revs []string, yield func(Changed)) error {
	args := []string{
		"-c", "log.showSignature=false", "-c", "log.showRoot=true", "-c", "diff.ignoreSubmodules=none", "log",
		"--no-color", "--no-ext-diff", "--no-notes",
		"--no-renames", "-m", "--raw", "--no-abbrev", "-z", "--format=%x01%H",
	}
	args = append(append(args, revs...), "--")
	err := h.git.Stream(ctx, gitcmd.Command{Args: args}, func(in *bufio.Reader) error {
		var c Changed
		for {
			part, err := in.ReadString(0)
			part = strings.TrimSuffix(part, "\x00")
			if _, id, ok := strings.Cut(part, "\x01"); ok && !strings.HasPrefix(part, ":") {
				c.Commit = gitobject.ID(strings.TrimSpace(id))
			} else if fields := strings.Fields(part); len(fields) == 5 && strings.HasPrefix(fields[0], ":") {
				var path string
				path, err = in.ReadString(0)
				c.Before, c.After, c.Path = gitobject.ID(fields[2]), gitobject.ID(fields[3]),
					strings.TrimSuffix(path, "\x00")
				yield(c)
			}
			if err != nil {
				return endless(err)
			}
		}
	})
	if err != nil {
		return fmt.Errorf("looking through the history: %w", err)
	}
	return nil
}
