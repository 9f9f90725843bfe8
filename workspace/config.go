package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// Config is the team's policy, .cortex/config.yaml: a closed schema that holds
// data only. Nothing in it can name a command, a path or an address.
type Config struct {
	Format         int     `yaml:"format"`          // of the whole, see [NewerError]
	Land           string  `yaml:"land"`            // commit, branch or manual
	LandConfidence float64 `yaml:"land_confidence"` // 0–1
	LandMax        int     `yaml:"land_max"`        // memory files that are staged and not in HEAD
	LandBranchMax  int     `yaml:"land_branch_max"` // memory files that a branch adds
	Projections    string  `yaml:"projections"`     // branch, default-branch or off
	BriefTokens    int     `yaml:"brief_tokens"`
	PII            string  `yaml:"pii"`    // what becomes of people's data: redact, hold or keep
	Review         string  `yaml:"review"` // whether hosts fold memories in reviews: open or fold

	// CheckAccept lists the memories whose findings "instruction" a person has accepted,
	// by [Acceptance].
	CheckAccept []string `yaml:"check_accept"`

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
	out := []string{"start"}
	for _, k := range recall.Kinds() {
		out = append(out, string(k))
	}
	return out
}

// Recalls reports whether memories come back by themselves at a moment.
func (c *Config) Recalls(moment string) bool { return slices.Contains(c.Recall, moment) }

// maxConfig caps the file before it is parsed.
const maxConfig = 16 << 10

// DefaultConfig returns the settings that hold where config.yaml says nothing.
func DefaultConfig() Config {
	c := Config{Format: formatVersion, Land: "commit", LandConfidence: 0.85, LandMax: 3, LandBranchMax: 10, Projections: "branch", BriefTokens: 1200, PII: "redact", Review: "open", Recall: Moments(), Constants: defaultConstants()}
	d := memory.DefaultDecay()
	c.Decay.Doubling, c.Decay.Central, c.Decay.RecallBoost = d.Doubling, d.Central, d.RecallBoost
	c.Decay.Floor, c.Decay.GraceDays = d.Floor, d.Grace.Hours()/24
	return c
}

// ParseConfig reads config.yaml over the defaults. An unknown key, an alias
// or a value out of range is an error that names the line.
func ParseConfig(data []byte) (Config, error) {
	c := DefaultConfig()
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
	if err := doc.Decode(&named); err == nil && named.Format > formatVersion {
		// What else it says may mean something else by now.
		return c, &NewerError{What: ConfigPath, Format: named.Format}
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(&c); err != nil && !errors.Is(err, io.EOF) {
		return DefaultConfig(), plainYAML(err)
	}
	if err := c.check(); err != nil {
		return DefaultConfig(), err
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

func (c Config) check() error {
	switch {
	case c.Format != formatVersion:
		return fmt.Errorf("format: %d is not a version", c.Format)
	case c.Land != "commit" && c.Land != "branch" && c.Land != "manual":
		return fmt.Errorf("land: %q is not commit, branch or manual", c.Land)
	case !unit(c.LandConfidence):
		return fmt.Errorf("land_confidence: %v is not from 0 to 1", c.LandConfidence)
	case c.LandMax < 0 || c.LandMax > 100:
		return fmt.Errorf("land_max: %d is not from 0 to 100", c.LandMax)
	case c.LandBranchMax < 0 || c.LandBranchMax > 1000:
		return fmt.Errorf("land_branch_max: %d is not from 0 to 1000", c.LandBranchMax)
	case c.Projections != "branch" && c.Projections != "default-branch" && c.Projections != "off":
		return fmt.Errorf("projections: %q is not branch, default-branch or off", c.Projections)
	case c.BriefTokens < 200 || c.BriefTokens > 20000:
		return fmt.Errorf("brief_tokens: %d is not from 200 to 20000", c.BriefTokens)
	case c.PII != "redact" && c.PII != "hold" && c.PII != "keep":
		return fmt.Errorf("pii: %q is not redact, hold or keep", c.PII)
	case c.Review != "open" && c.Review != "fold":
		return fmt.Errorf("review: %q is not open or fold", c.Review)
	case c.Decay.Doubling < 0 || !(c.Decay.RecallBoost >= 1) || !unit(c.Decay.Floor) || !withinDays(c.Decay.GraceDays) || math.IsNaN(c.Decay.Central):
		return errors.New("decay: a constant is out of range")
	}
	if err := c.Constants.check(); err != nil {
		return err
	}
	for _, moment := range c.Recall {
		if !slices.Contains(Moments(), moment) {
			return fmt.Errorf("recall: %q is not one of %s", moment, strings.Join(Moments(), ", "))
		}
	}
	for _, a := range c.CheckAccept {
		if !acceptances().MatchString(a) {
			return fmt.Errorf("check_accept: %q is not as cortex check names it", a)
		}
	}
	for t, days := range c.Decay.HalfLifeDays {
		if !t.Valid() || !withinDays(days) {
			return fmt.Errorf("decay.half_life_days: %s: %v is not a known type with 0 to 36500 days", t, days)
		}
	}
	return nil
}

var acceptances = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-hjkmnp-tv-z]{16}@[0-9a-f]{12}$`)
})

// Acceptance names a memory with its content, so that other words are not accepted
// with it.
func (e *Entry) Acceptance() string { return string(e.Memory.ID) + "@" + e.Blob[:min(12, len(e.Blob))] }

// decay turns the constants into what memory computes with.
func (c Config) decay() memory.Decay {
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

// LoadConfig reads the policy of the working tree at root. With a file that
// cannot be used it returns the defaults and an error, which callers report: a
// bad line of a teammate must not stop anybody's work.
func LoadConfig(root string) (Config, error) { return readConfigFile(root).parse() }

// configFile is config.yaml as it was read. The zero value is that of a tree that
// has none.
type configFile struct {
	text string
	bad  string // why it could not be read; "" otherwise
}

func readConfigFile(root string) configFile {
	path := filepath.Join(root, filepath.FromSlash(ConfigPath))
	info, err := os.Lstat(filepath.Dir(path))
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		return configFile{bad: folder.LinkRefused(Dir)}
	}
	info, err = os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return configFile{}
	}
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err == nil && info.Size() > maxConfig {
		err = fmt.Errorf("%d bytes is over the limit of %d", info.Size(), maxConfig)
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(path)
	}
	if err != nil {
		return configFile{bad: ConfigPath + ": " + err.Error()}
	}
	return configFile{text: string(data)}
}

func (f configFile) parse() (Config, error) {
	if f.bad != "" {
		return DefaultConfig(), errors.New(f.bad)
	}
	c, err := ParseConfig([]byte(f.text))
	if err != nil {
		return c, fmt.Errorf("%s: %w", ConfigPath, err)
	}
	return c, nil
}
