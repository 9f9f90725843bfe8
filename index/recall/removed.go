package recall

import (
	"cmp"
	_ "embed"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

//go:embed removed.tsv
var removedTable string

// removedForms are the sentences of removed.tsv by their kind: "any", and "rejected" for the
// title of a rejection.
var removedForms = lazy.Value(func() map[string][]*regexp.Regexp {
	parts, rows := map[string]string{}, map[string][]string{}
	for line := range strings.Lines(removedTable) {
		kind, text, _ := strings.Cut(strings.Trim(line, "\r\n"), "\t")
		parts[kind] = text
		rows[kind] = append(rows[kind], text)
	}
	whole := strings.NewReplacer("NAME", parts["NAME"], "END", parts["END"], "LEAD", parts["LEAD"])
	out := map[string][]*regexp.Regexp{}
	for _, kind := range []string{"any", "rejected"} {
		for _, text := range rows[kind] {
			out[kind] = append(out[kind], regexp.MustCompile("(?i)"+whole.Replace(text)))
		}
	}
	return out
})

// Bounds of what is said to be gone, and of the lines that may bring it back.
const (
	removedSentences = 2 // of a memory, its title among them
	leastName        = 3 // bytes of a name
	leastSymbol      = 6 // bytes of a name that is unmistakable
	addedSize        = 8 << 10
	rareRemoval      = 0.7 // from which rarity on such a name speaks in any file
)

// goneIn are the names of things that a decision or rejection says are gone, as rules.
func goneIn(m *memory.Memory) []rule {
	if !slices.Contains([]memory.Type{memory.Decision, memory.Rejected, memory.Architecture}, m.Type) {
		return nil
	}
	var out []rule
	said := sentences(m)
	for _, s := range said[:min(len(said), removedSentences)] {
		out = append(out, goneBy(s, removedForms()["any"])...)
	}
	if m.Type == memory.Rejected {
		out = append(out, goneBy(m.Title, removedForms()["rejected"])...)
	}
	return out
}

// goneBy is the name of what a sentence of one of some forms says is gone.
func goneBy(s string, forms []*regexp.Regexp) []rule {
	for _, form := range forms {
		named := append(form.FindStringSubmatch(s), "", "", "") // all "" where it does not match
		if name := strings.Trim(cmp.Or(named[1], named[2]), `'".()`); isName(name) {
			return []rule{{ruleGone, []string{name}}}
		}
	}
	return nil
}

// isName reports whether a word can be the name of a thing: it is no everyday one and no number.
func isName(s string) bool {
	low := strings.ToLower(s)
	if len(s) < leastName || strings.Trim(low, "v0123456789.") == "" {
		return false
	}
	return !words.IsEveryday(low) && !words.IsStop(low)
}

// pieces are the runs of letters, digits, hyphens and underscores of a text in lower case, each
// once.
func pieces(text string) []string {
	all := strings.FieldsFunc(text, func(r rune) bool { return r < 0x80 && !strings.ContainsRune(pieceRunes, r) })
	for i, piece := range all {
		all[i] = strings.Trim(piece, "-")
	}
	slices.Sort(all)
	return slices.Compact(all)
}

const pieceRunes = "abcdefghijklmnopqrstuvwxyz0123456789_-"

// goneMark tells the keys of what is gone from those of programs and files.
const goneMark = "-"

// goneKey is the key of a name: its longest piece.
func goneKey(name string) string {
	all := append(pieces(strings.ToLower(name)), "")
	return goneMark + slices.MaxFunc(all, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
}

// added are the lines that a change adds, in lower case: those of the new text that the old one
// lacks.
func (m *Moment) added() string {
	if m.Kind != File {
		return ""
	}
	text := m.New[:min(len(m.New), addedSize)]
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.Contains(m.Old, strings.TrimSpace(line)) {
			b.WriteString(line)
		}
	}
	return strings.ToLower(b.String())
}

// goneTerms calls yield with the terms of what the added lines of a moment may bring back.
func (m *Moment) goneTerms(yield func(term)) {
	for _, p := range pieces(m.added()) {
		yield(ruleTerm(goneMark + p))
	}
}

// broughtBack is the name of what a memory says is gone and the added lines of a moment bring
// back; "" for none.
func (e *evidence) broughtBack(rules []rule) string {
	i := slices.IndexFunc(rules, func(r rule) bool { return e.isBroughtBack(&r) })
	if i < 0 {
		return ""
	}
	return rules[i].words[0]
}

// isBroughtBack reports whether a rule is about what is gone, and the moment brings it back.
func (e *evidence) isBroughtBack(r *rule) bool {
	if r.kind != ruleGone {
		return false
	}
	name := r.words[0]
	return e.mayName(name) && e.moment.bringsBack(name)
}

// bringsBack reports whether added lines hold a name, and neither the lines that go nor the file do.
// The file is read last, and only where the name is among the added lines.
func (m *Moment) bringsBack(name string) bool {
	name = regexp.QuoteMeta(strings.ToLower(name))
	alone := regexp.MustCompile(`(?:^|[^` + pieceRunes + `])` + name + `(?:$|[^` + pieceRunes + `])`)
	if !alone.MatchString(m.added()) {
		return false
	}
	return !alone.MatchString(strings.ToLower(m.Old + "\n" + m.present()))
}

// mayName reports whether a name that comes back is spoken of in the file of the moment: in the
// files and folders of its memory, and elsewhere in code if it is unmistakable and rare.
func (e *evidence) mayName(name string) bool {
	if isProse(e.moment.File) {
		return slices.Contains(e.record.files, e.moment.File)
	}
	return slices.ContainsFunc(e.record.files, e.isBeside) || isUnmistakable(name) && e.rare >= rareRemoval
}

// isBeside reports whether the file of the moment is in the folder of a file or below it. The top
// folder says nothing.
func (e *evidence) isBeside(file string) bool {
	folder := path.Dir(file) + "/"
	return e.moment.File == file || strings.HasPrefix(e.moment.File, folder)
}

// isProse reports whether a file holds text for people, which names what is gone as well.
func isProse(file string) bool {
	return slices.Contains([]string{".md", ".mdx", ".rst", ".txt", ".adoc"}, strings.ToLower(path.Ext(file)))
}

// isUnmistakable reports whether a name is written as no word of a language is: with an inner
// capital, a digit, a dot, a slash or an underscore, or as an option.
func isUnmistakable(name string) bool {
	if len(name) < leastSymbol {
		return false
	}
	const marks = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_./0123456789"
	return strings.HasPrefix(name, "--") || strings.ContainsAny(name[1:len(name)-1], marks)
}
