// Command labelled measures on the sessions of invented projects what capture keeps of
// what they teach, and whether it comes back when it is needed.
//
//	go run -C tools ./labelled write FOLDER
//	go run -C tools ./labelled needs [-cortex PROGRAM] [-missed]
//
// The sessions are in testdata, one file for each project, in a form that is easy to
// read; [parse] says which. What is worth keeping and what is not is marked beside the
// line that says it.
//
// write makes transcripts of them, and labels, as tools/weigh reads them:
//
//	go run -C tools ./weigh -shipped FOLDER/transcripts FOLDER/labels
//
// needs captures the sessions of each project one after the other in a repository of its
// own. Before each it asks for the briefing, and at the prompts and failures that are
// marked for what a hook would say there. A need is met where one line of that has all
// of its words; a quiet moment stays quiet where nothing is said. -missed prints the
// others.
//
// Whoever wrote the sessions knew the program: the figures show what a change does, and
// say less of how it does elsewhere.
package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

//go:embed testdata/*.txt
var projects embed.FS

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "labelled:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New(`reading arguments: "write" or "needs" is expected`)
	}
	all, err := load()
	if err != nil {
		return err
	}
	switch args[0] {
	case "write":
		if len(args) != 2 {
			return errors.New("reading arguments: a folder is expected")
		}
		return write(all, args[1])
	case "needs":
		flags := flag.NewFlagSet("labelled needs", flag.ContinueOnError)
		program := flags.String("cortex", "", "the program to measure; that of this checkout if it is left out")
		missed := flags.Bool("missed", false, "print what was not met, and what was said at a quiet moment")
		if err := flags.Parse(args[1:]); err != nil {
			return fmt.Errorf("reading arguments: %w", err)
		}
		return measure(ctx, all, *program, *missed, out)
	}
	return fmt.Errorf("reading arguments: unknown command %q", args[0])
}

// load reads the projects, in the order of their names.
func load() ([]*project, error) {
	files, err := projects.ReadDir("testdata")
	if err != nil {
		return nil, fmt.Errorf("reading the sessions: %w", err)
	}
	var all []*project
	for _, f := range files {
		text, err := projects.ReadFile("testdata/" + f.Name())
		if err != nil {
			return nil, fmt.Errorf("reading the sessions: %w", err)
		}
		p, err := parse(strings.TrimSuffix(path.Base(f.Name()), ".txt"), string(text))
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", f.Name(), err)
		}
		all = append(all, p)
	}
	return all, nil
}

// label is a mark as tools/weigh reads it.
type label struct {
	Type       string `json:"type,omitempty"`
	Record     int    `json:"record"`
	Span       string `json:"span"`
	Memory     string `json:"memory,omitempty"`
	Importance int    `json:"importance,omitempty"`
	Lands      *bool  `json:"lands,omitempty"`
	Negative   bool   `json:"negative,omitempty"`
}

// write makes the transcripts and the labels of all sessions.
func write(all []*project, folder string) error {
	for _, sub := range []string{"transcripts", "labels"} {
		if err := os.MkdirAll(filepath.Join(folder, sub), 0o777); err != nil {
			return fmt.Errorf("writing the sessions: %w", err)
		}
	}
	for _, p := range all {
		for _, s := range p.sessions {
			t, at := s.transcript("/work/"+p.name, time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC))
			var labels strings.Builder
			for _, m := range s.marks {
				l := label{Record: at[m.line], Span: m.span, Negative: m.worth == 0}
				if !l.Negative {
					l.Type, l.Memory, l.Importance, l.Lands = m.typ, m.text, m.worth, &m.lands
				}
				line, err := json.Marshal(l)
				if err != nil {
					return fmt.Errorf("writing the labels of %s: %w", s.name, err)
				}
				labels.Write(append(line, '\n'))
			}
			name := p.name + "__" + s.name
			if err := os.WriteFile(filepath.Join(folder, "transcripts", name+".jsonl"), t, 0o666); err != nil {
				return fmt.Errorf("writing a transcript: %w", err)
			}
			if err := os.WriteFile(filepath.Join(folder, "labels", name+".labels.jsonl"), []byte(labels.String()), 0o666); err != nil {
				return fmt.Errorf("writing labels: %w", err)
			}
		}
	}
	return nil
}
