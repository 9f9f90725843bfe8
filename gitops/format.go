package gitops

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// formatFile is where a journal names the version of FORMAT.md that it is of.
const formatFile = "format"

// Format is the version of FORMAT.md that the state names; 1 when it names none.
func (s *Snapshot) Format(ctx context.Context) (int, error) {
	r, done := s.use()
	e, err := r.find(ctx, formatFile)
	done()
	if err != nil || !e.isFile() {
		return 1, err
	}
	n := 0
	err = s.Read(ctx, []Entry{{formatFile, e.id}}, func(_ Entry, data []byte) error {
		var err error
		if n, err = strconv.Atoi(strings.TrimSpace(string(data))); err != nil || n < 1 {
			return fmt.Errorf("%q is not a version", data[:min(len(data), 40)])
		}
		return nil
	})
	if err != nil {
		return 1, fmt.Errorf("reading the format of the journal: %w", err)
	}
	return n, nil
}
