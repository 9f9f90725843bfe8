package tiers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/git-cortex/cortex/index/embed"
	"github.com/git-cortex/cortex/index/vector"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/embedder"
)

// EmbedOptions say which model to use, and how; what is zero or nil stays as it is set.
type EmbedOptions struct {
	Model  string // static:FOLDER with an absolute path, or an address; "" keeps the one that is set
	Name   string // of the model at an address
	Key    string // the environment variable of its key
	Alpha  *float64
	Least  *float64
	Off    bool // turn vectors off
	DryRun bool // check the model, and change nothing

	Progress func(done, total int) // may be nil
}

// Embedded is the outcome of [Embed].
type Embedded struct {
	Model    string   `json:"model"`      // its name and fingerprint; "" when vectors were turned off
	Dims     int      `json:"dimensions"` // of its vectors
	Memories int      `json:"memories"`   // of all branches
	Embedded int      `json:"embedded"`   // of them, now
	Missing  int      `json:"missing"`    // without a vector still
	DryRun   bool     `json:"dry_run"`
	Settings Settings `json:"settings"`
}

// Settings are those of vectors, as people write them. What is zero has the default.
type Settings struct {
	Embed string  `json:"embed"`
	Name  string  `json:"model"`
	Alpha float64 `json:"alpha"`
	Least float64 `json:"least"`
}

// ErrNoModel is an embedding without a model.
var ErrNoModel = errors.New("no model is set")

// probe is embedded to see whether a model works.
const (
	probe     = "How is the index rebuilt after a crash?"
	probeWait = 30 * time.Second
)

// Embed checks a model by asking it for one vector, writes it into the repository's git
// configuration, and makes the vectors of all memories. A model that fails the check
// changes nothing.
func Embed(ctx context.Context, w *workspace.Workspace, opt EmbedOptions) (Embedded, error) {
	config, err := w.Repo.Config(ctx)
	if err != nil {
		return Embedded{}, err
	}
	now, wrong := embedder.Read(config)
	for _, text := range wrong {
		w.Notice("%s", text)
	}
	if opt.Off {
		return Embedded{DryRun: opt.DryRun}, change(ctx, w, embedder.Settings{}, opt.DryRun)
	}
	next := opt.over(now)
	if next.Model == "" {
		return Embedded{}, ErrNoModel
	}
	out := Embedded{DryRun: opt.DryRun, Settings: settingsOf(next)}
	model, err := next.Open(w.Environ(), nil)
	if err != nil {
		return Embedded{}, err
	}
	if closer, ok := model.(io.Closer); ok {
		defer closer.Close()
	}
	if err := check(ctx, model, &out); err != nil {
		return out, err
	}
	if err := change(ctx, w, next, opt.DryRun); err != nil {
		return out, err
	}
	err = embedAll(ctx, w, w.Index.Vectors(model), opt, &out)
	return out, err
}

// embedAll makes the vectors of all memories, and closes them; in a dry run it counts them.
func embedAll(ctx context.Context, w *workspace.Workspace, store *vector.Store, opt EmbedOptions, out *Embedded) error {
	defer store.Close()
	v, err := w.View(ctx, workspace.ViewOptions{AllBranches: true, Unreviewed: true})
	if err != nil {
		return err
	}
	out.Memories = len(v.Items)
	if opt.DryRun {
		return nil
	}
	blobs := v.Index.Blobs()
	if out.Embedded, out.Missing, err = store.Update(ctx, blobs, 0, opt.Progress); err != nil {
		return fmt.Errorf("embedding memories (what was done is kept; run cortex embed again to go on): %w", err)
	}
	if _, err := store.Purge(blobs); err != nil {
		return fmt.Errorf("forgetting vectors: %w", err)
	}
	return nil
}

// check asks a model for one vector: an endpoint once and no longer than a cold model
// takes to load, since somebody who sets it up waits for the answer.
func check(ctx context.Context, model embed.Model, out *Embedded) error {
	var vectors [][]float32
	var err error
	if endpoint, ok := model.(embed.Impatient); ok {
		vectors, err = endpoint.EmbedWithin(ctx, probeWait, []string{probe})
	} else {
		vectors, err = model.Embed(ctx, []string{probe})
	}
	if err == nil {
		err = embed.Check(vectors, 1, len(vectors[0]))
	}
	if err != nil {
		return fmt.Errorf("trying the model: %w", err)
	}
	out.Model, out.Dims = model.Name(), len(vectors[0])
	for _, x := range vectors[0] {
		if x != 0 {
			return nil
		}
	}
	return fmt.Errorf("trying the model: %s knows no word of %q, so it cannot compare English text",
		model.Name(), probe)
}

// over returns the settings with those of opt in place of what was set.
func (opt *EmbedOptions) over(now embedder.Settings) embedder.Settings {
	if opt.Model != "" && opt.Model != now.Model {
		now.Model, now.Name, now.Key = opt.Model, "", ""
	}
	now.Name, now.Key = cmp.Or(opt.Name, now.Name), cmp.Or(opt.Key, now.Key)
	if opt.Alpha != nil {
		now.Alpha = *opt.Alpha
	}
	if opt.Least != nil {
		now.Least = *opt.Least
	}
	return now
}

// change writes settings into the repository's configuration, unless dry.
func change(ctx context.Context, w *workspace.Workspace, s embedder.Settings, dry bool) error {
	if dry {
		return nil
	}
	if err := w.Repo.LocalConfig().Edit(ctx, s.Lines()...); err != nil {
		return fmt.Errorf("writing git's configuration: %w", err)
	}
	return nil
}

func settingsOf(s embedder.Settings) Settings {
	return Settings{Embed: s.Model, Name: s.Name, Alpha: s.Alpha, Least: s.Least}
}
