package capture

import (
	_ "embed" // words

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/internal/lazy"
)

//go:embed words.tsv
var wordFile string

// lexicon has the classes of words that say what an answer, a request or a topic is.
var lexicon = lazy.Value(func() *prose.Lexicon { return prose.ReadLexicon(wordFile) })

func is(class, word string) bool           { return lexicon().Is(class, word) }
func in(class string, words []string) bool { return lexicon().In(class, words) }

func begins(class string, words []string) bool { return lexicon().Begins(class, words) > 0 }
