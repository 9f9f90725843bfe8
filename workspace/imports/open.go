package imports

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// ErrNotRegular says that what is to be imported is no regular file, and may never end.
var ErrNotRegular = errors.New("is no regular file")

// OpenFile opens a file to import and returns its size.
func OpenFile(name string) (*os.File, int64, error) {
	info, err := os.Stat(name) // before it is opened: opening a pipe waits for whoever writes to it
	if err != nil {
		return nil, 0, fmt.Errorf("reading the import: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("reading the import: %s %w", name, ErrNotRegular)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, fmt.Errorf("reading the import: %w", err)
	}
	return f, info.Size(), nil
}

// mostImported is how many bytes one import reads, so that an input without end has one.
const mostImported = 1 << 30

// UntilDone reads from r until ctx ends, also where r waits for input, and at most
// [mostImported] bytes. Call stop when nothing is read any more.
func UntilDone(ctx context.Context, r io.Reader) (reading io.Reader, stop func()) {
	out, in := io.Pipe()
	unhook := context.AfterFunc(ctx, func() { in.CloseWithError(ctx.Err()) })
	go func() {
		n, err := io.Copy(in, io.LimitReader(r, mostImported+1))
		if err == nil && n > mostImported {
			err = fmt.Errorf("reading the import: it has more than %d MiB; split it", mostImported>>20)
		}
		in.CloseWithError(err)
	}()
	return out, func() {
		unhook()
		out.Close()
	}
}
