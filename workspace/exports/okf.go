package exports

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// ErrNotEmpty is a folder to export into that holds something.
var ErrNotEmpty = errors.New("the folder is not empty")

// okfVersion is that of the specification followed here, by Google Cloud:
// https://github.com/GoogleCloudPlatform/knowledge-catalog. Its headings are cited below.
const okfVersion = "0.2"

// concept is the frontmatter of a concept document ("Concept documents", "Provenance,
// trust, and lifecycle"), and below the key cortex what only Cortex knows.
type concept struct {
	Type        string        `yaml:"type"`
	Title       string        `yaml:"title"`
	Description string        `yaml:"description,omitempty"`
	Tags        []string      `yaml:"tags,omitempty,flow"`
	Sources     []okfSource   `yaml:"sources,omitempty"`
	Generated   generated     `yaml:"generated,flow"`
	Status      string        `yaml:"status"`
	Cortex      cortexOrigins `yaml:"cortex"`
}

type okfSource struct {
	ID       string `yaml:"id"`
	Resource string `yaml:"resource"`
}

type generated struct {
	By string    `yaml:"by"`
	At time.Time `yaml:"at"`
}

type cortexOrigins struct {
	ID         memory.ID `yaml:"id"`
	Confidence float64   `yaml:"confidence"`
	Files      []string  `yaml:"files,omitempty,flow"`
	Commit     string    `yaml:"commit,omitempty"`
}

// OKF writes a bundle of the Open Knowledge Format, version 0.2, into the folder dir,
// which must be empty or not be there: one document a memory, in folders by type, with an
// index. Links between memories become links between documents. It returns how many
// documents it wrote.
func OKF(ctx context.Context, dir, name string, entries []workspace.Entry) (n int, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, fmt.Errorf("making the folder: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0, fmt.Errorf("opening the folder: %w", err)
	}
	defer root.Close()
	if have, err := fs.ReadDir(root.FS(), "."); err != nil {
		return 0, fmt.Errorf("reading the folder: %w", err)
	} else if len(have) > 0 {
		return 0, fmt.Errorf("%s: %w", dir, ErrNotEmpty)
	}
	files := map[memory.ID]*workspace.Entry{}
	for i := range entries {
		files[entries[i].Memory.ID] = &entries[i]
	}
	write := func(file string, data []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := root.MkdirAll(path.Dir(file), 0o777); err != nil {
			return fmt.Errorf("writing %s: %w", file, err)
		}
		return atomicfile.Write(root, file, data, atomicfile.Options{NoSync: true})
	}
	for i := range entries {
		data, err := document(&entries[i], files)
		if err == nil {
			err = write(fileOf(entries[i].Memory), data)
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, write("index.md", listing(name, entries))
}

// fileOf returns where a memory is in a bundle.
func fileOf(m *memory.Memory) string {
	return path.Join(string(m.Type), path.Base(m.Path()))
}

// document is one concept document.
func document(e *workspace.Entry, files map[memory.ID]*workspace.Entry) ([]byte, error) {
	m := e.Memory
	c := concept{
		Type: strings.ToUpper(string(m.Type[:1])) + string(m.Type[1:]), Title: m.Title, Description: description(m), Tags: m.Tags,
		Generated: generated{By: actor(m.Source.Agent, m.Source.Model), At: m.Created}, Status: lifecycle(e),
		Cortex: cortexOrigins{ID: m.ID, Confidence: m.Confidence, Files: m.Files, Commit: m.Source.Commit},
	}
	if !m.Updated.IsZero() {
		c.Generated.At = m.Updated
	}
	if m.Source.Session != "" {
		c.Sources = []okfSource{{"session", "session " + m.Source.Session + " of " + m.Source.Agent}}
	}
	var b bytes.Buffer
	b.WriteString("---\n")
	y := yaml.NewEncoder(&b)
	y.SetIndent(2)
	if err := errors.Join(y.Encode(c), y.Close()); err != nil {
		return nil, fmt.Errorf("writing %s: %w", m.ID.Short(), err)
	}
	b.WriteString("---\n")
	if m.Text != "" {
		b.WriteString("\n" + m.Text + "\n")
	}
	first := true
	for _, l := range m.Links {
		to, ok := files[l.To]
		if !ok {
			continue
		}
		if first {
			b.WriteString("\n# Related\n\n")
			first = false
		}
		fmt.Fprintf(&b, "* %s [%s](/%s)\n", strings.ReplaceAll(string(l.Rel), "_", " "), inline(to.Memory.Title), fileOf(to.Memory))
	}
	return b.Bytes(), nil
}

// lifecycle returns OKF's status of a memory ("Lifecycle").
func lifecycle(e *workspace.Entry) string {
	switch {
	case e.Status == memory.StatusSuperseded || e.Status == memory.StatusArchived:
		return "deprecated"
	case e.Stage == index.Pending || e.Status == memory.StatusContested:
		return "draft"
	}
	return "stable"
}

// actor names who wrote a memory by OKF's "Actor convention".
func actor(agent, model string) string {
	switch {
	case agent == "human":
		return "human:unnamed"
	case agent == "":
		return "process:cortex"
	case model == "":
		model = "unknown"
	}
	return agent + "/" + model
}

// maxDescription bounds a description, in bytes.
const maxDescription = 160

// description returns the first sentence of a memory's text, "" where it is too long for a
// line.
func description(m *memory.Memory) string {
	text, _, _ := strings.Cut(m.Text, "\n")
	if i := strings.Index(text, ". "); i > 0 {
		text = text[:i+1]
	}
	if len(text) > maxDescription || strings.HasPrefix(text, "#") || strings.HasPrefix(text, "```") {
		return ""
	}
	return text
}

// listing returns the index of a bundle ("Index files").
func listing(name string, entries []workspace.Entry) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "---\nokf_version: %q\n---\n\nMemories of %s, exported by Cortex.\n", okfVersion, inline(name))
	for _, t := range memory.Types() {
		first := true
		for _, e := range entries {
			m := e.Memory
			if m.Type != t {
				continue
			}
			if first {
				fmt.Fprintf(&b, "\n# %s\n\n", heading(t))
				first = false
			}
			fmt.Fprintf(&b, "* [%s](%s)", inline(m.Title), fileOf(m))
			if d := description(m); d != "" {
				fmt.Fprintf(&b, " - %s", inline(d))
			}
			b.WriteString("\n")
		}
	}
	return b.Bytes()
}
