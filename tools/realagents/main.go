// Command realagents runs coding agents with cortex, each session in a repository and a
// home folder of its own, against a model that says what a script tells it to. It looks at
// what the agents handed the model and at what cortex remembers then, and compares that
// with the table in docs/agents.md. See .ci/real-agents, which starts it.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// options are the flags.
type options struct {
	clients, cortex, root, record, transcripts, only, keep string
	update, latest                                         bool
}

func main() {
	var o options
	flag.StringVar(&o.clients, "clients", "", "`FOLDER` with a folder for each client that npm installed")
	flag.StringVar(&o.cortex, "cortex", "", "the `PROGRAM` to try")
	flag.StringVar(&o.root, "root", ".", "`FOLDER` of the checkout, with its plugin and its docs")
	flag.StringVar(&o.record, "record", "", "`FOLDER` for what the hooks are told")
	flag.StringVar(&o.transcripts, "transcripts", "", "`FOLDER` for transcripts of the dialogues, and nothing else")
	flag.StringVar(&o.only, "only", "", "`NAMES` of clients or sessions, with commas between them")
	flag.StringVar(&o.keep, "keep", "", "`FOLDER` for what the sessions leave; else it is deleted")
	flag.BoolVar(&o.update, "update", false, "write the table in docs/agents.md")
	flag.BoolVar(&o.latest, "latest", false, "the clients are newer than the table: say what differs")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := o.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (o *options) run(ctx context.Context) error {
	o.record = cmp.Or(o.record, o.transcripts)
	dir, err := o.scratch()
	if err != nil {
		return err
	}
	if o.keep == "" {
		defer os.RemoveAll(dir)
	}
	w, err := newWorld(dir, o)
	if err != nil {
		return err
	}
	if o.transcripts != "" {
		return w.transcribe(ctx, o.transcripts)
	}
	var wrong error
	turn := make(chan struct{}, 2) // clients at a time
	var wg sync.WaitGroup
	for _, a := range agents() {
		if !o.takes(a.name, clientNames()) {
			continue
		}
		if a.version = versionOf(w.folder(a)); a.version == "" {
			fmt.Printf("SKIPPED: %s is not installed\n", a.title)
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(scenes())) {
			if o.takes(name, slices.Collect(maps.Keys(scenes()))) {
				turn <- struct{}{}
				wg.Go(func() {
					defer func() { <-turn }()
					w.play(ctx, a, name)
				})
			}
		}
	}
	wg.Wait()
	for _, a := range agents() {
		wrong = errors.Join(wrong, w.errs[a.name])
	}
	if o.only != "" {
		return wrong
	}
	return errors.Join(wrong, o.compare(w))
}

// takes reports whether a client or a session of some is wanted.
func (o *options) takes(name string, among []string) bool {
	wanted := strings.Split(o.only, ",")
	chosen := slices.ContainsFunc(wanted, func(one string) bool { return slices.Contains(among, one) })
	return !chosen || slices.Contains(wanted, name)
}

func clientNames() []string {
	var out []string
	for _, a := range agents() {
		out = append(out, a.name)
	}
	return out
}

// scratch makes the folder that all happens in.
func (o *options) scratch() (string, error) {
	if o.keep == "" {
		return os.MkdirTemp("", "real-agents-*")
	}
	dir, err := filepath.Abs(o.keep)
	return dir, errors.Join(err, os.MkdirAll(dir, 0o777))
}

// versionOf is the version of the package in a folder of npm's, "" for none.
func versionOf(dir string) string {
	files, _ := filepath.Glob(filepath.Join(dir, "package.json"))
	if len(files) == 0 {
		return ""
	}
	data, _ := os.ReadFile(files[0])
	var p struct{ Version string }
	_ = json.Unmarshal(data, &p)
	version, _, _ := strings.Cut(p.Version, "-")
	return version
}

// play runs a session, and once more if something in it does not hold: clients have races
// of their own. That it did is said.
func (w *world) play(ctx context.Context, a *agent, name string) {
	from := time.Now()
	cells, err := w.try(ctx, a, name, name)
	again := ""
	if err != nil || !holds(a, cells) {
		again = fmt.Sprintf(", again after: %v %s", err, failures(a, cells))
		cells, err = w.try(ctx, a, name, name+"-again")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Printf("%6.1f s  %s %s: %s%s\n", time.Since(from).Seconds(), a.title, a.version, name, again)
	if err != nil {
		w.errs[a.name] = errors.Join(w.errs[a.name], fmt.Errorf("%s, session %s: %w", a.title, name, err))
	}
	if w.seen[a.name] == nil {
		w.seen[a.name] = map[string]cell{}
	}
	maps.Copy(w.seen[a.name], cells)
}

// try runs a session once.
func (w *world) try(ctx context.Context, a *agent, name, dir string) (map[string]cell, error) {
	s, err := w.open(ctx, a, dir)
	if err != nil {
		return nil, err
	}
	defer s.stop()
	if err := scenes()[name](ctx, s); err != nil || w.record == "" {
		return s.cells, err
	}
	return s.cells, s.keepRecord(w.record)
}

// holds reports whether all that a client offers was seen, and nothing that it does not.
func holds(a *agent, cells map[string]cell) bool { return failures(a, cells) == "" }

// failures says what does not hold, a row a line.
func failures(a *agent, cells map[string]cell) string {
	var out strings.Builder
	for _, row := range rows() {
		c, ok := cells[row]
		switch lack := a.lacks[row]; {
		case !ok:
		case lack == "" && !c.ok:
			fmt.Fprintf(&out, "\n    %s: %s", row, c.what)
		case lack != "" && c.ok:
			fmt.Fprintf(&out, "\n    %s: it works, and docs/agents.md says: %s", row, lack)
		}
	}
	return out.String()
}

// compare holds what was seen against the table, or writes it there.
func (o *options) compare(w *world) error {
	file := filepath.Join(o.root, "docs", "agents.md")
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	known := readTable(string(page))
	var differ []string
	for _, a := range agents() {
		seen := w.seen[a.name]
		if len(seen) == 0 {
			continue
		}
		if wrong := failures(a, seen); wrong != "" {
			err = errors.Join(err, fmt.Errorf("FAILED: %s %s%s", a.title, a.version, wrong))
		}
		cells := map[string]string{}
		for _, row := range rows() {
			cells[row] = a.words(row, seen[row].ok)
		}
		title := a.title + " " + a.version
		if !o.latest && known.titleOf(a.title) != title {
			differ = append(differ, "the table has no "+title)
		}
		differ = append(differ, known.differences(a.title, cells)...)
		known.set(a.title, title, cells)
	}
	if o.update {
		return errors.Join(err, known.update(file, string(page)))
	}
	for _, line := range differ {
		err = errors.Join(err, errors.New("docs/agents.md: "+line))
	}
	switch {
	case len(w.seen) == 0:
		fmt.Println("SKIPPED: no client is installed")
	case err == nil:
		fmt.Println("all is as docs/agents.md says")
	}
	return err
}

// words returns the text of a cell of the table.
func (a *agent) words(row string, ok bool) string {
	switch {
	case !ok && a.lacks[row] != "":
		return a.lacks[row]
	case !ok:
		return "FAILS"
	case row == distrusted:
		return a.distrust
	}
	return "works"
}
