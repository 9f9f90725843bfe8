package output

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
)

// Batch answers each query of in by one line of out.
func Batch(search func(string) (*workspace.Answer, error), in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var q struct {
			ID   json.RawMessage `json:"id"`
			Text string          `json:"text"`
		}
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return answer.WithHint(fmt.Errorf("line %d of the queries: %w", n, err),
				`each line must be {"id": …, "text": …}`)
		}
		found, err := search(q.Text)
		var mistyped *query.FilterError
		if errors.As(err, &mistyped) { // of this query alone
			if err := answer.Write(out, struct {
				QID json.RawMessage `json:"qid"`
				answer.Fault
			}{q.ID, answer.Explain(err)}); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if err := answer.Write(out, struct {
			QID json.RawMessage `json:"qid"`
			*workspace.Answer
		}{q.ID, found}); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading the queries: %w", err)
	}
	return nil
}
