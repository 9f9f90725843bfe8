package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-cortex/cortex/tools/scratch"
)

// tally counts moments of one kind.
type tally struct{ met, all int }

// measure prints how many needs are met, by the moment.
func measure(ctx context.Context, all []*project, program string, missed bool, out io.Writer) error {
	counts := map[string]*tally{"start": {}, "prompt": {}, "failed": {}, "quiet": {}}
	for _, p := range all {
		if err := p.measure(ctx, program, func(s *session, n *need, told string) {
			kind, met := n.moment, false
			if len(n.words) == 0 {
				kind, met = "quiet", strings.TrimSpace(told) == ""
			} else {
				met = n.met(told)
			}
			counts[kind].all++
			if met {
				counts[kind].met++
			} else if missed {
				fmt.Fprintf(out, "%s/%s, %s: %s %v\n%s\n", p.name, s.name, kind, n.what, n.words, told)
			}
		}); err != nil {
			return fmt.Errorf("measuring %s: %w", p.name, err)
		}
	}
	fmt.Fprintln(out, "| moment | met | of |\n|---|---|---|")
	for _, row := range [][2]string{{"start", "briefing"}, {"prompt", "prompt"}, {"failed", "failed call"}, {"quiet", "kept quiet"}} {
		fmt.Fprintf(out, "| %s | %d | %d |\n", row[1], counts[row[0]].met, counts[row[0]].all)
	}
	return nil
}

// measure captures the sessions in their order, and says before each what is told at its
// moments. Sessions are of the last days, so that what fades has not.
func (p *project) measure(ctx context.Context, program string, judge func(s *session, n *need, told string)) error {
	r, err := scratch.New(ctx, program, os.Environ())
	if err != nil {
		return err
	}
	defer r.Close()
	for _, args := range [][]string{{"git", "commit", "-q", "--allow-empty", "-m", "start"}, {r.Bin, "init", "-q"}} {
		if err := r.Run(ctx, nil, nil, args[0], args[1:]...); err != nil {
			return err
		}
	}
	for i, s := range p.sessions {
		for _, n := range s.needs {
			told, err := n.told(ctx, r)
			if err != nil {
				return err
			}
			judge(s, &n, told)
		}
		ago := time.Duration(len(p.sessions)-i) * 24 * time.Hour
		data, _ := s.transcript(r.Dir, time.Now().Add(-ago))
		file := filepath.Join(filepath.Dir(r.Dir), s.name+".jsonl")
		if err := os.WriteFile(file, data, 0o666); err != nil {
			return fmt.Errorf("writing a transcript: %w", err)
		}
		if err := r.Cortex(ctx, nil, nil, "capture", file, "--agent", "claude-code", "-q"); err != nil {
			return err
		}
	}
	return nil
}

// told returns the lines that the program says at the moment.
func (n *need) told(ctx context.Context, r *scratch.Repository) (string, error) {
	var b bytes.Buffer
	if n.moment == "start" {
		err := r.Cortex(ctx, nil, &b, "brief")
		return b.String(), err
	}
	args := []string{"recall", "--json", "--prompt", n.asked}
	if n.moment == "failed" {
		args = []string{"recall", "--json", "--command", n.asked, "--error", n.failed}
	}
	if err := r.Cortex(ctx, nil, &b, args...); err != nil {
		return "", err
	}
	var out struct {
		Memories []struct {
			Speaks bool
			Line   string
		}
	}
	if err := json.Unmarshal(b.Bytes(), &out); err != nil {
		return "", fmt.Errorf("reading what is recalled: %w", err)
	}
	var lines strings.Builder
	for _, m := range out.Memories {
		if m.Speaks {
			lines.WriteString(strings.ReplaceAll(m.Line, "\n", " ") + "\n")
		}
	}
	return lines.String(), nil
}
