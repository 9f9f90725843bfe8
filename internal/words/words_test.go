package words

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// shown writes tokens as the table below does: words by position, and in
// brackets the compounds that begin there.
func shown(tokens []Token) string {
	var out []string
	for _, t := range tokens {
		if t.Stem == "" {
			out = append(out, "["+t.Term+"]")
		} else {
			out = append(out, t.Term)
		}
	}
	return strings.Join(out, " ")
}

func TestAnalyse(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "",
		"Plain words, and more.":  "plain words and more",
		"parseHTTPRequest":        "parse http request [parsehttprequest]",
		"utf8 SHA256":             "utf 8 [utf8] sha 256 [sha256]",
		"userIDs URLs":            "user ids [userids] urls",
		"snake_case_name":         "snake case name [snake_case_name]",
		"well-known":              "well known [well-known]",
		"--no-verify":             "no verify [--no-verify] [no-verify]",
		"rm -rf x":                "rm rf [-rf] x",
		"C++ and C# and F#.":      "c [c++] and c [c#] and f [f#]",
		"i++":                     "i [i++]",
		".gitignore":              "gitignore [.gitignore]",
		"#42":                     "42 [#42]",
		"src/a_b.go:42":           "src a b go 42 [a_b.go] [a_b] [src/a_b.go]",
		"@types/node":             "types node [@types/node] [types/node]",
		"a.b.c":                   "a b c [a.b.c]",
		"std::vec::Vec":           "std vec vec",
		"https://x.org/y":         "https x org y [x.org] [x.org/y]",
		"don't user's we'll":      "dont user we",
		"the end. Next":           "the end next",
		"refs/cortex/journal":     "refs cortex journal [refs/cortex/journal]",
		"e-mail <a@b.org>":        "e mail [e-mail] a b org [b.org] [a@b.org]",
		"Übergröße café naïve":    "ubergrosse cafe naive",
		"Ｆｕｌｌ":                    "full",
		"検索エンジン":                  "検索 索エ エン ンジ ジン",
		"字":                       "字",
		"日本 go":                   "日本 go",
		"한국어 검색":                  "한국 국어 검색",
		"ship it 🚀🚀 👍🏽":           "ship it 🚀 🚀 👍🏽",
		"Привет Мир":              "привет мир",
		`"unbalanced 'quotes`:     "unbalanced quotes",
		"a\x00b\xffc":             "a b c",
		"-- - --- ... :: ''":      "",
		"x=1&y=2":                 "x 1 y [1&y] 2",
		"v1.2.3-rc.1":             "v 1 [v1] 2 3 rc 1 [v1.2.3-rc.1] [3-rc]",
		strings.Repeat("a", 80):   strings.Repeat("a", 64),
		strings.Repeat("ab-", 40): strings.TrimSpace(strings.Repeat("ab ", 40)),
	} {
		a := &Analyser{}
		if diff := cmp.Diff(want, shown(a.Analyse(text))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestStem(t *testing.T) {
	a := &Analyser{}
	for word, want := range map[string]string{
		"searching": "search", "searches": "search", "indexed": "index", "caches": "cach", "go": "go",
		"größe": "größe", "v2": "v2",
	} {
		if got := a.stem(word); got != want {
			t.Errorf("stem(%q) = %q, want %q", word, got, want)
		}
	}
}

func FuzzAnalyse(f *testing.F) {
	for _, s := range []string{
		"parseHTTPRequest src/a_b.go:42 --no-verify C++", "検索 🚀 👍🏽 \xff", "a'b's", "e\u0301", "ﬁ", "x:::y//z..",
		"\u200d\ufe0f",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a := &Analyser{}
		pos, word := 0, 0
		for _, tok := range a.Analyse(s) {
			if tok.Start < 0 || tok.End > len(s) || tok.Start >= tok.End {
				t.Fatalf("%q: token %+v outside the text", s, tok)
			}
			if tok.Term == "" || !utf8.ValidString(tok.Term) && utf8.ValidString(s) {
				t.Fatalf("%q: term %q", s, tok.Term)
			}
			if tok.Pos < 0 || tok.Stem != "" && tok.Pos != word {
				t.Fatalf("%q: positions: %+v after %d", s, tok, pos)
			}
			if tok.Stem != "" {
				word++
			}
			pos = tok.Pos
		}
	})
}

// TestStemsBeginAsTheirWords holds what lets a search pass over words whose stem
// nobody waits for.
func TestStemsBeginAsTheirWords(t *testing.T) {
	a := &Analyser{}
	var words []string
	for _, ending := range strings.Fields(
		"s es ies sses eed ed ing ational tional enci anci izer abli alli ousli ization ator alism iveness aliti biliti icate ative ness ement ion y e ll",
	) {
		for _, c := range "abcdefghijklmnopqrstuvwxyz" {
			for _, d := range "abcdefghijklmnopqrstuvwxyz" {
				words = append(words, string(c)+ending, string(c)+string(d)+ending)
			}
		}
	}
	for _, w := range words {
		if s := a.stem(w); len(w) > 1 && !PrefixesOf([]string{s}).May(w) {
			t.Errorf("the stem of %q is %q, which begins otherwise", w, s)
		}
	}
}
