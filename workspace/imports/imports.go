// Package imports turns documents of other stores into memories. Call [JSONL] for JSON
// Lines, [ADR] for architecture decision records, [MCPMemory] for the file of the
// reference MCP memory server, [Notes] for a Markdown file such as CLAUDE.md. Each
// writes memory files into the working tree, or, where an agent runs the import, pending
// memories of origin outside into the journal. It
// promises that a line which cannot be used stops nothing, that no secret is
// written, that importing a file again adds nothing, and that memory use does
// not grow with the size of the file.
package imports

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/workspace"
)

// Input is the input of [JSONL].
type Input struct {
	Name     string // of the file, for problems
	Lines    io.Reader
	Size     int64                                  // bytes, for Progress; 0 when not known
	Progress func(read, total int64, documents int) // may be nil
	DryRun   bool                                   // nothing is written, and Added counts what would be
}

// Result counts what became of the documents of an import.
type Result struct {
	Documents int             // lines that hold something
	Added     int             // files written
	Known     int             // there already
	Redacted  int             // documents that secrets were taken out of
	Waiting   int             // of those added: pending, because an agent imported them
	Skipped   []index.Problem // lines that could not be taken
	Notes     []index.Problem // lines that were taken with a change, such as another type
}

const (
	batchSize = 512     // documents that are written together
	maxLine   = 4 << 20 // bytes in a line
	maxListed = 1000    // problems that are listed
)

// JSONL writes a memory file into the working tree for every line
// {"id","title","text","type","date"} of in. The id is kept as source.ref and
// the memory's own id is derived from it too, so that documents of equal content
// stay apart and a second import adds nothing. A line that cannot be used is
// reported in the result and stops nothing.
func JSONL(ctx context.Context, w *workspace.Workspace, in Input) (Result, error) {
	var out Result
	dst, err := openTarget(ctx, w, in.DryRun)
	if err != nil {
		return out, err
	}
	defer dst.close()
	src := source{lines: bufio.NewReaderSize(in.Lines, 1<<16)}
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		var docs []sourceLine
		docs, more, err = src.batch()
		if err != nil {
			return out, fmt.Errorf("reading %s: %w", in.Name, err)
		}
		if err := dst.take(ctx, newMaker(ctx, w).parseAll(docs), &out); err != nil {
			return out, err
		}
		if in.Progress != nil {
			in.Progress(src.read, in.Size, out.Documents)
		}
	}
	return out, dst.finish(ctx, w, &out)
}

// source cuts a file into lines.
type source struct {
	lines *bufio.Reader
	line  int
	read  int64
}

// sourceLine is one line; a line that is too long has no text.
type sourceLine struct {
	number int
	text   []byte
}

// batch reads the next lines that are not blank; more is false at the end.
func (s *source) batch() (out []sourceLine, more bool, err error) {
	for len(out) < batchSize {
		text, err := s.next()
		if errors.Is(err, io.EOF) {
			return out, false, nil
		}
		if err != nil {
			return out, false, err
		}
		if text == nil || len(bytes.TrimSpace(text)) > 0 {
			out = append(out, sourceLine{s.line, text})
		}
	}
	return out, true, nil
}

// next reads a line; nil for one that is too long.
func (s *source) next() ([]byte, error) {
	s.line++
	line := []byte{}
	for {
		part, err := s.lines.ReadSlice('\n')
		s.read += int64(len(part))
		if line != nil {
			line = append(line, part...)
		}
		if len(line) > maxLine {
			line = nil
		}
		switch {
		case err == nil, errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		case errors.Is(err, bufio.ErrBufferFull):
		default:
			return nil, err
		}
	}
}
