package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp/syntax"
	"strings"

	"github.com/git-cortex/cortex/capture/redact"
)

// rule is one of another project.
type rule struct {
	id, expr string
	keywords []string
}

// compare says which rules of the checkouts have tokens that the redactor does
// not know. Each token stands in prose that says nothing about it, beside what
// the rule itself asks for.
func compare(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("secrets rules", flag.ContinueOnError)
	n := flags.Int("n", 20, "tokens to make up of each rule")
	half := flags.String("half", "", "one half of the rules: odd or even")
	show := flags.Bool("show", false, "print the first token of each rule that is let through")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("reading arguments: a checkout of gitleaks or betterleaks is expected")
	}
	for _, checkout := range flags.Args() {
		rules, err := readRules(checkout)
		if err != nil {
			return err
		}
		tokens, caught, known, all := 0, 0, 0, 0
		for _, r := range rules {
			if *half != "" && halfOf(r.id) != *half {
				continue
			}
			texts, err := r.texts(*n)
			if err != nil {
				fmt.Fprintf(out, "# %s: %v\n", r.id, err)
				continue
			}
			all++
			through := 0
			for _, t := range texts {
				if s, _ := redact.String(t.text); strings.Contains(s, t.secret) {
					through++
				}
			}
			tokens, caught = tokens+len(texts), caught+len(texts)-through
			if through == 0 {
				known++
				continue
			}
			kind, _, _ := strings.Cut(r.id, "-")
			fmt.Fprintf(out, "# %s: %d of %d let through\n%s  %s  %s\n", r.id, through, len(texts), kind, strings.Join(r.keywords, ","), strings.ReplaceAll(r.expr, " ", `\x20`))
			if *show {
				fmt.Fprintf(out, "# %q\n", texts[0].text)
			}
		}
		fmt.Fprintf(out, "# %s: %d of %d rules known, %d of %d tokens caught (%.1f %%)\n", checkout, known, all, caught, tokens, percent(caught, tokens))
	}
	return nil
}

// readRules reads what is used of the rules in config/*.toml: one key a line,
// as both projects generate them.
func readRules(checkout string) ([]rule, error) {
	files, err := filepath.Glob(filepath.Join(checkout, "config", "*leaks.toml"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("reading rules: there is no config/*leaks.toml in %s", checkout)
	}
	var out []rule
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("reading rules: %w", err)
		}
		for i, block := range strings.Split(string(data), "\n[[rules]]\n") {
			if i == 0 {
				continue
			}
			r := rule{}
			for line := range strings.Lines(block) {
				key, value, _ := strings.Cut(strings.TrimSpace(line), " = ")
				switch {
				case key == "id" && r.id == "":
					r.id = strings.Trim(value, `"`)
				case key == "regex" && r.expr == "":
					r.expr = strings.Trim(value, "'")
				case key == "keywords":
					for k := range strings.SplitSeq(strings.Trim(value, "[]"), ",") {
						r.keywords = append(r.keywords, strings.ToLower(strings.Trim(strings.TrimSpace(k), `"`)))
					}
				}
			}
			if r.expr != "" {
				out = append(out, r)
			}
		}
	}
	return out, nil
}

// madeUp is a text that a rule matches, and the secret in it.
type madeUp struct{ text, secret string }

// texts makes up n texts of a rule. What the rule puts into its first group is
// the secret, or all of it where there is no group.
func (r *rule) texts(n int) ([]madeUp, error) {
	expr := strings.NewReplacer("(?i)", "", "(?i:", "(?:").Replace(r.expr) // as written: services do not mix cases
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(7, uint64(len(r.expr))))
	var out []madeUp
	for range n {
		m := maker{random: random}
		m.make(re)
		x := madeUp{text: m.text.String()}
		if x.secret = m.group; x.secret == "" {
			x.secret = x.text
		}
		x.text = "we use " + x.text + " for now"
		out = append(out, x)
	}
	return out, nil
}

// maker writes a text that an expression matches.
type maker struct {
	random *rand.Rand
	text   strings.Builder
	group  string // what the first group holds
}

func (m *maker) make(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		m.text.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		m.text.WriteRune(m.one(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		m.text.WriteByte('.')
	case syntax.OpPlus:
		m.times(re.Sub[0], 1, 8)
	case syntax.OpRepeat:
		m.times(re.Sub[0], re.Min, re.Max)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			m.make(sub)
		}
	case syntax.OpAlternate:
		m.make(re.Sub[m.random.IntN(len(re.Sub))])
	case syntax.OpCapture:
		from := m.text.Len()
		m.make(re.Sub[0])
		if m.group == "" {
			m.group = m.text.String()[from:]
		}
	}
}

// times repeats an expression, few times more than it has to.
func (m *maker) times(re *syntax.Regexp, least, most int) {
	if most < 0 || most > least+8 {
		most = least + 8
	}
	if least == 0 { // what is around a token is left out where it may be
		if re.Op == syntax.OpAnyChar || re.Op == syntax.OpAnyCharNotNL {
			m.text.WriteByte('=')
		}
		return
	}
	for range least + m.random.IntN(most-least+1) {
		m.make(re)
	}
}

// one takes a letter of a class, a printing one of ASCII where it can.
func (m *maker) one(class []rune) rune {
	var from []rune
	for i := 0; i+1 < len(class); i += 2 {
		for c := max(class[i], ' '+1); c <= min(class[i+1], '~'); c++ {
			from = append(from, c)
		}
	}
	if len(from) == 0 {
		return class[0]
	}
	return from[m.random.IntN(len(from))]
}
