package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/git-cortex/cortex/tools/scratch"
)

// corpus is made-up memories with words as frequent as in real notes: a few are
// in most, many in a handful. They are made when they are asked for: what this tool holds would
// count as memory of the processes that it starts.
type corpus struct {
	from, to int
	common   []string
	rand     *rand.Rand
}

type made struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
	Date  string `json:"date"`
}

const commonWords = "index storage segment cache commit branch merge journal reader writer lock snapshot token budget parser " +
	"retry timeout queue gauge station alert threshold schema column migration release build cluster deploy rollback " +
	"latency buffer checksum header encoder decoder filter score query fixture pipeline"

func makeCorpus(n int) *corpus { return partOfCorpus(0, n) }

// partOfCorpus is the memories with those numbers.
func partOfCorpus(from, to int) *corpus {
	return &corpus{from: from, to: to, common: strings.Fields(commonWords), rand: rand.New(rand.NewPCG(11, uint64(to)))}
}

// doc is the memory with a number.
func (c *corpus) doc(i int) made {
	one := &corpus{common: c.common, rand: rand.New(rand.NewPCG(11, uint64(i)))}
	return made{
		ID: fmt.Sprintf("m%d", i), Title: one.sentence(6), Text: one.sentence(60+one.rand.IntN(61)) + ".",
		Date: fmt.Sprintf("202%d-%02d-%02d", 4+one.rand.IntN(2), 1+one.rand.IntN(12), 1+one.rand.IntN(28)),
	}
}

func (c *corpus) sentence(n int) string {
	out := make([]string, n)
	for i := range out {
		if c.rand.IntN(5) == 0 {
			out[i] = rareWord(c.rand.IntN(20000))
			continue
		}
		f := c.rand.Float64()
		out[i] = c.common[int(f*f*float64(len(c.common)))]
	}
	return strings.Join(out, " ")
}

// rareWord is a word of its own for each number.
func rareWord(n int) string {
	const syllables = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu"
	list := strings.Fields(syllables)
	word := ""
	for range 4 {
		word += list[n%len(list)]
		n /= len(list)
	}
	return word
}

// query is three words, common or rare.
func (c *corpus) query(kind string, i int) []string {
	if kind == "common" {
		return []string{c.common[i%10], c.common[(i*3+1)%20], c.common[(i*7+2)%30]}
	}
	words := make([]string, 0, 3)
	for _, w := range strings.Fields(c.doc(i * 13).Text) {
		if len(w) == 8 && len(words) < 3 && !strings.Contains(commonWords, w) {
			words = append(words, strings.Trim(w, "."))
		}
	}
	return words
}

// imported takes the memories into a repository.
func (c *corpus) imported(ctx context.Context, r *scratch.Repository) error {
	return c.fed(ctx, r, func(w io.Writer) {
		enc := json.NewEncoder(w)
		for i := c.from; i < c.to; i++ {
			_ = enc.Encode(c.doc(i)) // strings alone
		}
	}, r.Bin, "import", "jsonl", "-q", "-")
}

// copied takes the memories into a database of SQLite.
func (c *corpus) copied(ctx context.Context, r *scratch.Repository, db string) error {
	return c.fed(ctx, r, func(w io.Writer) {
		fmt.Fprintln(w, "create virtual table t using fts5(id unindexed, title, body, tokenize='porter unicode61');\nbegin;")
		for i := c.from; i < c.to; i++ {
			d := c.doc(i)
			fmt.Fprintf(w, "insert into t values('%s','%s','%s');\n", d.ID, d.Title, d.Text)
		}
		fmt.Fprintln(w, "commit;")
	}, "sqlite3", "-batch", db)
}

// fed runs a program with what write writes as its input.
func (c *corpus) fed(ctx context.Context, r *scratch.Repository, write func(io.Writer), program string, args ...string) error {
	in, out := io.Pipe()
	go func() {
		w := bufio.NewWriterSize(out, 1<<16)
		write(w)
		_ = errors.Join(w.Flush(), out.Close()) // a program that stops reading says so itself
	}()
	defer in.Close()
	return r.Run(ctx, in, nil, program, args...)
}
