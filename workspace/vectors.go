package workspace

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/embed"
)

// Keys of the user's git configuration that turn vectors on. They name paths,
// addresses and variables, so they are never read from the repository's files.
const (
	embedKey      = "cortex.embed"      // static:FOLDER, or the URL of an OpenAI-compatible endpoint
	embedModelKey = "cortex.embedmodel" // the model's name at that endpoint
	embedKeyKey   = "cortex.embedkey"   // the environment variable that holds its key
)

// vectors opens the embedder that the user configured; nil without one. What
// is wrong with it is an error, and search goes on by words alone.
func (w *Workspace) vectors(ctx context.Context) (*index.Vectors, error) {
	if w.vector != nil || !w.mayEmbed() {
		return w.vector, nil
	}
	settings, err := w.Repo.Settings(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", embedKey, err)
	}
	value := settings.Value(embedKey)
	if value == "" {
		return nil, nil
	}
	e, err := w.embedder(value, settings)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", embedKey, err)
	}
	w.vector = w.Index.Vectors(e)
	return w.vector, nil
}

func (w *Workspace) embedder(value string, settings *gitops.Config) (embed.Model, error) {
	if folder, ok := strings.CutPrefix(value, "static:"); ok {
		if rest, ok := strings.CutPrefix(folder, "~/"); ok {
			folder = filepath.Join(w.variable("HOME"), rest)
		}
		if !filepath.IsAbs(folder) {
			return nil, fmt.Errorf("the folder %q is not an absolute path", folder)
		}
		m, err := embed.OpenStatic(folder)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
	if u, err := url.Parse(value); err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%q is neither static:FOLDER nor an http address", value)
	}
	name := settings.Value(embedKeyKey)
	m, err := embed.NewRemote(embed.RemoteOptions{
		URL: value, Name: settings.Value(embedModelKey), KeyName: name, Key: w.variable(name),
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// variable reads an environment variable; "" for an unset one, or for no name.
func (w *Workspace) variable(name string) string {
	value := ""
	for _, kv := range w.env.Environ {
		if key, v, ok := strings.Cut(kv, "="); ok && key == name && name != "" {
			value = v
		}
	}
	return value
}

// mayEmbed looks whether git's configuration could name an embedder, without
// the process that asking git costs: a file that says "embed", or that includes
// others, has to be read by git.
func (w *Workspace) mayEmbed() bool {
	home := w.variable("HOME")
	config := w.variable("XDG_CONFIG_HOME")
	if config == "" {
		config = filepath.Join(home, ".config")
	}
	files := []string{
		filepath.Join(w.Repo.CommonDir, "config"), filepath.Join(w.Repo.GitDir, "config.worktree"),
		filepath.Join(home, ".gitconfig"), filepath.Join(config, "git", "config"), "/etc/gitconfig",
	}
	for _, name := range []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"} {
		if f := w.variable(name); f != "" {
			files = append(files, f)
		}
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		data = bytes.ToLower(data)
		if bytes.Contains(data, []byte("embed")) || bytes.Contains(data, []byte("[include")) {
			return true
		}
	}
	return w.variable("GIT_CONFIG_COUNT") != ""
}

// vectorSearch is what vectors add to a search; nil when there are none, or
// they are not wanted.
func (w *Workspace) vectorSearch(ctx context.Context, opt SearchOptions) *index.VectorSearch {
	if opt.WordsOnly {
		return nil
	}
	v, err := w.vectors(ctx)
	if err != nil {
		w.Notice("%v; searching by words alone", err)
		return nil
	}
	if v == nil {
		return nil
	}
	return &index.VectorSearch{Vectors: v, Text: opt.Hyde, Alpha: opt.Alpha}
}

// Embed makes the vectors that a view lacks, and returns how many it made; 0
// without an embedder. Those of memories that are long gone are forgotten.
func (w *Workspace) Embed(ctx context.Context, v *View, progress func(done, total int)) (int, error) {
	vectors, err := w.vectors(ctx)
	if err != nil || vectors == nil {
		return 0, err
	}
	done, _, err := vectors.Update(ctx, v.index, 0, progress)
	if err != nil {
		return done, fmt.Errorf("embedding memories: %w", err)
	}
	if _, err := vectors.Purge(v.index); err != nil {
		return done, fmt.Errorf("forgetting vectors: %w", err)
	}
	return done, nil
}

// flushVectors writes down what a search embedded on its way.
func (w *Workspace) flushVectors() {
	if w.vector == nil {
		return
	}
	if err := w.vector.Flush(); err != nil {
		w.Notice("the vectors were not written: %v", err)
	}
}
