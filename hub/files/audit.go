package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-cortex/cortex/hub"
)

// auditDay is the name of the file of a day, without its end.
const auditDay = "2006-01-02"

// Record adds a line to the file of its day.
func (s *Store) Record(_ context.Context, a hub.Asked) error {
	line, err := json.Marshal(a)
	if err != nil {
		return err
	}
	name := filepath.Join(s.dir, "audit", a.At.UTC().Format(auditDay)+".jsonl")
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n')) // one call: lines of several processes do not mix
	return errors.Join(err, f.Close())
}

// Asked are the lines since a time.
func (s *Store) Asked(_ context.Context, since time.Time) (out []hub.Asked, err error) {
	days, err := s.days()
	if err != nil {
		return nil, err
	}
	for _, day := range days {
		if day < since.UTC().Format(auditDay) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(s.dir, "audit", day+".jsonl"))
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(data) {
			var a hub.Asked
			if json.Unmarshal(line, &a) == nil && !a.At.Before(since) { // one that was cut by a kill is none
				out = append(out, a)
			}
		}
	}
	return out, nil
}

// Forget removes the files of days that ended before a time.
func (s *Store) Forget(_ context.Context, before time.Time) error {
	days, err := s.days()
	if err != nil {
		return err
	}
	for _, day := range days {
		if day < before.UTC().Format(auditDay) {
			if err := os.Remove(filepath.Join(s.dir, "audit", day+".jsonl")); err != nil {
				return err
			}
		}
	}
	return nil
}

// days are those of which there are files, oldest first.
func (s *Store) days() (days []string, err error) {
	entries, err := os.ReadDir(filepath.Join(s.dir, "audit"))
	if err != nil {
		return nil, fmt.Errorf("listing the audit: %w", err)
	}
	for _, e := range entries {
		if day, ok := strings.CutSuffix(e.Name(), ".jsonl"); ok {
			days = append(days, day)
		}
	}
	return days, nil
}
