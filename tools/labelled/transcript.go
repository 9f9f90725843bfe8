package main

import (
	"strings"
	"time"

	"github.com/git-cortex/cortex/internal/transcripttest"
)

// transcript returns the records of a session that begins at a time in a folder, and the
// record at which each line begins, from 0.
func (s *session) transcript(root string, begins time.Time) (data []byte, at []int) {
	t := &transcripttest.Transcript{Session: "labelled-" + s.name, Root: root, At: begins, Step: 40 * time.Second}
	for _, l := range s.lines {
		at = append(at, t.Records)
		switch l.kind {
		case "user":
			t.User(l.text)
		case "agent":
			t.Agent(l.text)
		case "run":
			perform(t, l.text)
		case "file":
			t.Create(l.text, "x\n")
		case "ask":
			at[len(at)-1]++ // the answer is what counts
			parts := strings.Split(l.text, " | ")
			t.Ask(parts[0], parts[1], parts[2], parts[3])
		}
	}
	return t.Bytes(), at
}

// perform writes "COMMAND | RESULT". A command whose result names an error failed.
func perform(t *transcripttest.Transcript, text string) {
	command, result, _ := strings.Cut(text, " | ")
	if strings.Contains(result, "Error:") || strings.Contains(result, "FAIL") || strings.Contains(result, "undefined:") {
		t.Tool("Bash", map[string]any{"command": command}, "Exit code 1\n"+result, "Error: Exit code 1\n"+result, true)
		return
	}
	t.Run(command, result)
}
