package imports

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/git-cortex/cortex/workspace"
)

// storeJSON imports the events of an event-sourced memory from a JSON file, a list or an
// object with the list as its "events", or the observations and sessions of an export of
// engram.
func storeJSON(ctx context.Context, w *workspace.Workspace, opt StoreOptions, in Input) (Result, error) {
	file, err := storeFileIn(opt.Name)
	if err != nil {
		return Result{}, err
	}
	var records []record
	for _, e := range file.Events {
		records = append(records, e.record())
	}
	for _, o := range file.Observations {
		records = append(records, o.record())
	}
	for _, s := range file.Sessions {
		records = append(records, s.record())
	}
	if len(records) == 0 {
		return Result{}, errors.Join(ErrNothing, ErrNoStore)
	}
	s := streamOf(records)
	if err := s.only(w, opt.Project); err != nil {
		return Result{}, err
	}
	return s.take(ctx, w, in, in.byRef)
}

// largestJSON is the size of the largest JSON file that is read, in bytes.
const largestJSON = 512 << 20

// storeFile is a JSON file of another memory program.
type storeFile struct {
	Events       []event         `json:"events"`
	Observations []engramEntry   `json:"observations"`
	Sessions     []engramSession `json:"sessions"`
}

// storeFileIn reads a JSON file: a list of events, or an object.
func storeFileIn(name string) (f storeFile, err error) {
	info, err := os.Stat(name)
	if err == nil && info.Size() > largestJSON {
		err = fmt.Errorf("%s has over %d MB", name, largestJSON>>20)
	}
	if err != nil {
		return f, err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return f, err
	}
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if bytes.HasPrefix(data, []byte("[")) {
		err = json.Unmarshal(data, &f.Events)
	} else {
		err = json.Unmarshal(data, &f)
	}
	if err != nil {
		return f, fmt.Errorf("reading %s: %w", name, err)
	}
	return f, nil
}
