package transcript

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"testing"
)

// FuzzEvents reads any bytes as the transcript of any agent: events come in
// the order of their lines, and all that can be asked of one can be asked.
func FuzzEvents(f *testing.F) {
	agents := []string{"", ClaudeCode, Codex, Copilot, Gemini, OpenCode, Cursor}
	files, err := filepath.Glob("../testdata/*.json*")
	if err != nil || len(files) == 0 {
		f.Fatalf("no fixtures: %v", err)
	}
	for _, file := range files {
		data := readFile(f, file)
		lines := data
		if bundleOf(data) != "" {
			f.Add(data[:min(len(data), 4000)], uint8(0))
			lines, _ = io.ReadAll(newBundle(bytes.NewReader(data), Detect(data)))
		}
		for line := range bytes.Lines(lines) {
			for i, agent := range agents {
				if agent == Detect(data) {
					f.Add(line, uint8(i))
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, which uint8) {
		in, err := Open(bytes.NewReader(data), agents[int(which)%len(agents)])
		if err != nil {
			t.Fatal(err)
		}
		if err := in.Start(Position{}, agents[int(which)%len(agents)]); err != nil {
			t.Fatal(err)
		}
		for err == nil {
			before := in.At()
			err = in.Next(context.Background(), func(e *Event) {
				if e.Offset != before.Offset || e.Record > before.Line {
					t.Fatalf("an event of line %d at %d, read at %+v", e.Record, e.Offset, before)
				}
				_, _, _, _ = e.Path(), e.Content(), e.Shell(), e.Plan()
				_, _, _ = e.Questions(), e.Tasks(), e.Task()
			})
		}
		if !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
	})
}
