package postgres

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/memory"
)

// large makes many memories out of the sentences of the documents of this repository, so that words are as frequent as
// people write them. The same number of the same seed is the same repository.
type large struct {
	seed      uint64
	sentences []string
	words     []string // that tell something, as often as they are written
}

// newLarge reads the documents in a folder.
func newLarge(t testing.TB, seed uint64, docs string) *large {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(docs, "*.md"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s holds no documents: %v", docs, err)
	}
	l := &large{seed: seed}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range regexp.MustCompile(`[.:|]\s`).Split(string(data), -1) {
			s = strings.Join(strings.Fields(s), " ")
			if n := len(strings.Fields(s)); n >= 5 && n <= 40 {
				l.sentences = append(l.sentences, s)
			}
		}
	}
	for _, s := range l.sentences {
		l.words = append(l.words, regexp.MustCompile(`\b[a-z]{5,}\b`).FindAllString(s, -1)...)
	}
	return l
}

// repo is a repository of so many memories with their texts by blob: each of some sentences, and of names of its own
// such as a file, a function and a number of an issue.
func (l *large) repo(number, memories int) (*hub.Repo, map[string][]byte) {
	random := rand.New(rand.NewPCG(l.seed, uint64(number)))
	name := fmt.Sprintf("acme/service-%d", number)
	r := &hub.Repo{
		RepoRef: hub.RepoRef{Forge: "test", Name: name, URL: "https://forge.test/" + name},
		Ref:     "refs/heads/main", OID: fmt.Sprintf("%040x", number+1), State: hub.Ready, Added: clock(), Moved: clock(),
		Files: map[string]hub.File{},
	}
	texts := map[string][]byte{}
	types := memory.Types()
	for range memories {
		title := memory.Cut(l.sentences[random.IntN(len(l.sentences))], 90)
		var text []string
		for range 2 + random.IntN(3) {
			text = append(text, l.sentences[random.IntN(len(l.sentences))]+".")
		}
		file := fmt.Sprintf("%s/%s/file%d.go", l.words[random.IntN(len(l.words))], l.words[random.IntN(len(l.words))], random.IntN(400))
		text = append(text, fmt.Sprintf("See `%s` and #%d.", file, random.IntN(9000)))
		m := memory.New(types[random.IntN(len(types))], title, strings.Join(text, " "), clock().Add(-time.Duration(random.IntN(8000))*time.Hour))
		m.Files, m.Tags = []string{file}, []string{l.words[random.IntN(len(l.words))]}
		m.Source = memory.Source{Agent: "claude-code", Branch: "main", Session: fmt.Sprintf("%08x-1111", random.Uint32())}
		data := memory.Format(m)
		blob := blobOf(string(data))
		texts[blob] = data
		r.Files[".cortex/memories/"+m.Path()] = hub.File{Blob: blob, ID: m.ID}
	}
	return r, texts
}

// questions are so many queries of two to five words.
func (l *large) questions(n int) []string {
	random := rand.New(rand.NewPCG(l.seed, 7))
	out := make([]string, n)
	for i := range out {
		var words []string
		for range 2 + random.IntN(4) {
			words = append(words, l.words[random.IntN(len(l.words))])
		}
		out[i] = strings.Join(slices.Compact(words), " ")
	}
	return out
}
