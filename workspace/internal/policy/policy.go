// Package policy reads the team's policy, .cortex/config.yaml, and answers from it.
//
// Call [Read] with the root of a working tree and [File.Parse] for the [Config] in the file.
// A Config says what may land by itself ([Config.Holds]), and gives other packages the numbers
// of their formulas ([Config.Fading], [Config.Tuning]).
//
// The schema is closed and holds data only: nothing in it can name a command, a path or an
// address. A file that cannot be used leaves the defaults in force, and an error says why.
// It implements docs/settings.md.
package policy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/folder"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
)

// Config is the team's policy, .cortex/config.yaml: a closed schema that holds
// data only. Nothing in it can name a command, a path or an address.
type Config struct {
	Format         int     `yaml:"format"`          // of the whole, see [NewerError]
	Land           string  `yaml:"land"`            // commit, branch or manual
	LandConfidence float64 `yaml:"land_confidence"` // 0–1
	LandMax        int     `yaml:"land_max"`        // memory files that are staged and not in HEAD
	LandBranchMax  int     `yaml:"land_branch_max"` // memory files that a branch adds
	LandShare      float64 `yaml:"land_share"`      // of the files that a branch changes; 1 is no bound
	Projections    string  `yaml:"projections"`     // auto, branch, default-branch or off
	BriefTokens    int     `yaml:"brief_tokens"`
	PII            string  `yaml:"pii"`    // what becomes of people's data: redact, hold or keep
	Review         string  `yaml:"review"` // whether hosts fold memories in reviews: open or fold

	// CheckAccept lists the memories whose findings "instruction" a person has accepted,
	// by [Acceptance].
	CheckAccept []string `yaml:"check_accept"`

	// Reviewers are who may accept memories, see [Config.Reviews]: mail addresses, and names
	// at a host with an @ before them.
	Reviewers []string `yaml:"reviewers"`

	Ask string `yaml:"ask"` // whether sessions are asked what they settled: on or off

	// Recall lists the moments at which memories come back by themselves, of
	// [Moments].
	Recall []string `yaml:"recall"`

	Constants `yaml:",inline"`

	Decay struct {
		HalfLifeDays map[memory.Type]float64 `yaml:"half_life_days"`
		Doubling     int                     `yaml:"doubling"`
		Central      float64                 `yaml:"central"`
		RecallBoost  float64                 `yaml:"recall_boost"`
		Floor        float64                 `yaml:"floor"`
		GraceDays    float64                 `yaml:"grace_days"`
	} `yaml:"decay"`
}

// Moments are the moments of a session at which memories come back by themselves:
// its start, and those of [recall.Kinds].
func Moments() []string {
	return append([]string{"start"}, lists.Map(recall.Kinds(), func(k recall.Kind) string { return string(k) })...)
}

// Recalls reports whether memories come back by themselves at a moment.
func (c *Config) Recalls(moment string) bool { return slices.Contains(c.Recall, moment) }

// maxConfig caps the file before it is parsed.
const maxConfig = 16 << 10

// Default returns the settings that hold where config.yaml says nothing.
func Default() Config {
	c := Config{
		Format: Version, Land: "commit", LandConfidence: 0.85, LandMax: 3, LandBranchMax: 6, LandShare: 0.25,
		Projections: "auto", BriefTokens: 1200, PII: "redact", Review: "open", Ask: "on", Recall: Moments(),
		Constants: defaultConstants(),
	}
	d := memory.DefaultDecay()
	c.Decay.Doubling, c.Decay.Central, c.Decay.RecallBoost = d.Doubling, d.Central, d.RecallBoost
	c.Decay.Floor, c.Decay.GraceDays = d.Floor, d.Grace.Hours()/24
	return c
}

// Parse reads config.yaml over the defaults. An unknown key, an alias
// or a value out of range is an error that names the line.
func Parse(data []byte) (Config, error) {
	c := Default()
	if len(data) > maxConfig {
		return c, fmt.Errorf("%d bytes is over the limit of %d", len(data), maxConfig)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return c, err
	}
	if err := refuseAliases(&doc); err != nil {
		return c, err
	}
	var named struct {
		Format int `yaml:"format"`
	}
	if err := doc.Decode(&named); err == nil && named.Format > Version {
		// What else it says may mean something else by now.
		return c, &NewerError{What: hookstate.ConfigPath, Format: named.Format}
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(&c); err != nil && !errors.Is(err, io.EOF) {
		return Default(), plainYAML(err)
	}
	if err := c.check(); err != nil {
		return Default(), err
	}
	return c, nil
}

// plainYAML words an error of the decoder on one line and without our types.
func plainYAML(err error) error {
	var wrong *yaml.TypeError
	if !errors.As(err, &wrong) {
		return err
	}
	lines := make([]string, len(wrong.Errors))
	for i, e := range wrong.Errors {
		line, rest, _ := strings.Cut(e, ": field ")
		if key, _, ok := strings.Cut(rest, " not found in type "); ok {
			e = line + ": unknown key " + strconv.Quote(key)
		}
		lines[i] = e
	}
	return errors.New(strings.Join(lines, "; "))
}

func refuseAliases(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return fmt.Errorf("line %d: YAML anchors and aliases are not allowed", n.Line)
	}
	for _, c := range n.Content {
		if err := refuseAliases(c); err != nil {
			return err
		}
	}
	return nil
}

// Acceptance names a memory with its content, so that other words are not accepted
// with it.
func Acceptance(m *memory.Memory, blob string) string {
	return string(m.ID) + "@" + blob[:min(12, len(blob))]
}

// Fading returns the constants by which confidence fades.
func (c *Config) Fading() memory.Decay {
	d := memory.Decay{
		Doubling: c.Decay.Doubling, Central: c.Decay.Central, RecallBoost: c.Decay.RecallBoost,
		Floor: c.Decay.Floor, Grace: days(c.Decay.GraceDays), HalfLives: map[memory.Type]time.Duration{},
	}
	for t, n := range c.Decay.HalfLifeDays {
		d.HalfLives[t] = days(n)
	}
	return d
}

func days(n float64) time.Duration { return time.Duration(n * 24 * float64(time.Hour)) }

// File is config.yaml as it was read. The zero value is that of a tree that has none.
type File struct {
	text string
	bad  string // why it could not be read; "" otherwise
}

// Read reads config.yaml of the working tree at root.
func Read(root string) File {
	dir := filepath.Join(root, folder.Dir)
	info, err := os.Lstat(dir)
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		return File{bad: folder.LinkRefused(folder.Dir)}
	}
	data, err := readRegular(filepath.Join(dir, filepath.Base(hookstate.ConfigPath)))
	if errors.Is(err, os.ErrNotExist) {
		return File{}
	}
	if err != nil {
		return File{bad: hookstate.ConfigPath + ": " + err.Error()}
	}
	return File{text: string(data)}
}

// readRegular reads a file within the limit; a pipe in its place is not opened.
func readRegular(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	if info.Size() > maxConfig {
		return nil, fmt.Errorf("%d bytes is over the limit of %d", info.Size(), maxConfig)
	}
	return os.ReadFile(path)
}

// Parse returns the policy of a file. With one that cannot be used it returns the defaults
// and an error, which callers report: a bad line of a teammate must not stop anybody's work.
func (f File) Parse() (Config, error) {
	if f.bad != "" {
		return Default(), errors.New(f.bad)
	}
	c, err := Parse([]byte(f.text))
	if err != nil {
		return c, fmt.Errorf("%s: %w", hookstate.ConfigPath, err)
	}
	return c, nil
}
