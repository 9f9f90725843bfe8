package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/weights"
	"github.com/git-cortex/cortex/memory"
)

// label is a reader's judgement of one place of a transcript.
type label struct {
	Negative   bool
	Type       memory.Type
	Record     int
	Span       string
	Memory     string
	Importance int
	Lands      *bool
	sets       []map[string]bool // the words of Span, and of Memory
}

// session is one labelled transcript.
type session struct {
	name, group string
	data        []byte
	labels      []label
	landing     bool // its labels say what lands
}

func load(transcripts, labels string) ([]*session, error) {
	files, err := filepath.Glob(filepath.Join(labels, "*.labels.jsonl"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("looking for labels in %s: none found", labels)
	}
	var out []*session
	for _, file := range files {
		s := &session{name: strings.TrimSuffix(filepath.Base(file), ".labels.jsonl")}
		if i := strings.LastIndex(s.name, "__"); i > 0 {
			s.group = s.name[:i]
		}
		if s.data, err = os.ReadFile(filepath.Join(transcripts, s.name+".jsonl")); err != nil {
			return nil, fmt.Errorf("reading transcript: %w", err)
		}
		if err := s.read(file); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func (s *session) read(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("reading labels: %w", err)
	}
	for line := range bytes.Lines(data) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var l label
		if err := json.Unmarshal(line, &l); err != nil {
			return fmt.Errorf("reading labels of %s: %w", s.name, err)
		}
		l.sets = []map[string]bool{wordsOf(l.Span), wordsOf(l.Memory)}
		s.landing = s.landing || l.Lands != nil
		s.labels = append(s.labels, l)
	}
	return nil
}

// found is a candidate as it is compared with labels.
type found struct {
	capture.Candidate
	set map[string]bool
}

// headWords is how much of a candidate is compared.
const headWords = 80

func foundOf(c *capture.Candidate) found {
	words := strings.Fields(c.Memory.Title + " " + c.Memory.Text)
	return found{Candidate: *c, set: wordsOf(strings.Join(words[:min(len(words), headWords)], " "))}
}

// hits reports whether a candidate says what a label says: half of the words of
// one stand in the other, and both are from about the same record or share most
// of their words.
func (f *found) hits(l *label) bool {
	return slices.ContainsFunc(l.sets, func(set map[string]bool) bool { return f.meets(l, set) })
}

func (f *found) meets(l *label, set map[string]bool) bool {
	if len(set) == 0 || len(f.set) == 0 {
		return false
	}
	both := 0
	for w := range set {
		if f.set[w] {
			both++
		}
	}
	distance := f.Record - l.Record
	near := distance >= -2 && distance <= 2
	cover := 2*both >= len(set) || len(f.set) >= 5 && 2*both >= len(f.set)
	union := len(f.set) + len(set) - both
	return near && cover || 10*both >= 6*union || cover && both >= 6 && 10*both >= 6*min(len(f.set), len(set))
}

func wordsOf(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r != '_' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r))
	}) {
		if len(w) > 1 && !stop(w) {
			out[w] = true
		}
	}
	return out
}

// stop holds for words that say nothing.
func stop(w string) bool {
	return strings.Contains(" the a an and or of to in is are was were be been it its this that for with on as at by we i you he she they our your from not no so if but do does did done have has had will would can could should may might ", " "+w+" ")
}

// captured runs capture over a session. With trace it gives what was judged
// instead of what was kept, notes and memories alike.
func (s *session) captured(t *weights.Table, trace func(capture.Weighed)) ([]found, error) {
	res, err := capture.Run(context.Background(), bytes.NewReader(s.data), capture.Options{Weights: t, Trace: trace})
	if err != nil {
		return nil, fmt.Errorf("capturing %s: %w", s.name, err)
	}
	if res.Turns == 0 && len(res.Candidates) == 0 && res.Stats.Lines == 0 {
		return nil, errors.New("capturing " + s.name + ": nothing in it was read")
	}
	var out []found
	for i := range res.Candidates {
		c := &res.Candidates[i]
		if c.Disposition == capture.Kept || c.Disposition == capture.Noted {
			out = append(out, foundOf(c))
		}
	}
	return out, nil
}
