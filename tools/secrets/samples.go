package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/redact"
)

// sample is a text that holds a secret, or one that looks as if it did.
type sample struct {
	rule, text string
	secret     bool
	value      string // the secret itself, where the sample says it
}

// tally counts the samples of one family.
type tally struct{ secrets, caught, clean, changed int }

// halfOf says in which half of the families one is. Rules are chosen on one
// half, and the other half says what the choice is worth on families it has not
// seen.
func halfOf(family string) string {
	h := fnv.New32a()
	_, _ = io.WriteString(h, family)
	if h.Sum32()%2 == 0 {
		return "even"
	}
	return "odd"
}

func measure(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("secrets samples", flag.ContinueOnError)
	half := flags.String("half", "", "count one half of the families: odd or even")
	families := flags.Bool("families", false, "print each family that is not perfect")
	raw := flags.Bool("raw", false, "count a text as clean by one family even if another calls it a secret")
	missed := flags.Bool("missed", false, "print each sample that is judged wrongly")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("reading arguments: a file or folder of samples is expected")
	}
	fmt.Fprintln(out, "| samples | secrets | caught | % | clean | changed | % |\n|---|---|---|---|---|---|---|")
	for _, path := range flags.Args() {
		samples, err := load(path, *raw)
		if err != nil {
			return err
		}
		secrets := secretTexts(samples)
		both := 0 // texts that were changed as they should be by one family, and should not by another
		total, by := tally{}, map[string]*tally{}
		for i := range samples {
			s := &samples[i]
			if *half != "" && halfOf(s.rule) != *half {
				continue
			}
			t := by[s.rule]
			if t == nil {
				t = &tally{}
				by[s.rule] = t
			}
			text, taken := redact.String(s.text)
			found := len(taken) > 0 && (s.value == "" || !strings.Contains(text, s.value))
			total.count(s.secret, found)
			t.count(s.secret, found)
			if found && !s.secret && secrets[s.text] {
				both++
			}
			if *missed && s.secret != found {
				fmt.Fprintf(out, "%s\t%v\t%q\t%q\n", s.rule, s.secret, text, s.text)
			}
		}
		total.print(out, path)
		if both > 0 {
			fmt.Fprintf(out, "| &nbsp; of them secrets by another family | | | | | %d | %.2f |\n", both, percent(both, total.clean))
		}
		if *families {
			for _, rule := range slices.Sorted(maps.Keys(by)) {
				if t := by[rule]; t.caught < t.secrets || t.changed > 0 {
					t.print(out, "&nbsp; "+rule)
				}
			}
		}
	}
	return nil
}

func (t *tally) count(secret, found bool) {
	switch {
	case secret && found:
		t.secrets, t.caught = t.secrets+1, t.caught+1
	case secret:
		t.secrets++
	case found:
		t.clean, t.changed = t.clean+1, t.changed+1
	default:
		t.clean++
	}
}

func (t *tally) print(out io.Writer, name string) {
	fmt.Fprintf(out, "| %s | %d | %d | %.2f | %d | %d | %.2f |\n", name, t.secrets, t.caught, percent(t.caught, t.secrets), t.clean, t.changed, percent(t.changed, t.clean))
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(max(1, whole)) }

// load reads the samples of a file, or of the files of a folder, each once.
// Unless they are asked for as they are, what is no secret to one rule, and is
// one to another, is one.
func load(path string, raw bool) ([]sample, error) {
	var out []sample
	seen := map[sample]bool{}
	err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		name := strings.TrimSuffix(file, ".gz")
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".jsonl") {
			return err
		}
		more, err := loadFile(file, name != file)
		if err != nil {
			return fmt.Errorf("reading samples %s: %w", file, err)
		}
		for _, s := range more {
			if !seen[s] {
				seen[s] = true
				out = append(out, s)
			}
		}
		return nil
	})
	if raw {
		slices.SortStableFunc(out, func(a, b sample) int { return cmp.Compare(a.rule, b.rule) })
		return out, err
	}
	secrets := secretTexts(out)
	out = slices.DeleteFunc(out, func(s sample) bool { return !s.secret && secrets[s.text] })
	slices.SortStableFunc(out, func(a, b sample) int { return cmp.Compare(a.rule, b.rule) })
	return out, err
}

// secretTexts are the texts that hold a secret by any family.
func secretTexts(samples []sample) map[string]bool {
	secrets := map[string]bool{}
	for _, s := range samples {
		secrets[s.text] = secrets[s.text] || s.secret
	}
	return secrets
}

func loadFile(path string, zipped bool) ([]sample, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if zipped {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, err
		}
	}
	var out []sample
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var x struct{ B64, Kind, Rule, Secret string }
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			return nil, err
		}
		text, err := base64.StdEncoding.DecodeString(x.B64)
		if err != nil {
			return nil, err
		}
		value, err := base64.StdEncoding.DecodeString(x.Secret)
		if err != nil {
			return nil, err
		}
		out = append(out, sample{rule: x.Rule, text: string(text), secret: x.Kind == "tp", value: string(value)})
	}
	return out, lines.Err()
}
