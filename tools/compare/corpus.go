package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// corpus is made-up memories with words as frequent as in real notes: a few are
// in most, many in a handful.
type corpus struct {
	rand   *rand.Rand
	common []string
	docs   []made
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

func makeCorpus(n int) *corpus {
	c := &corpus{rand: rand.New(rand.NewPCG(11, uint64(n))), common: strings.Fields(commonWords)}
	for i := range n {
		c.docs = append(c.docs, made{
			ID: fmt.Sprintf("m%d", i), Title: c.sentence(6), Text: c.sentence(60+c.rand.IntN(61)) + ".",
			Date: fmt.Sprintf("202%d-%02d-%02d", 4+c.rand.IntN(2), 1+c.rand.IntN(12), 1+c.rand.IntN(28)),
		})
	}
	return c
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
	for _, w := range strings.Fields(c.docs[i*13%len(c.docs)].Text) {
		if len(w) == 8 && len(words) < 3 && !strings.Contains(commonWords, w) {
			words = append(words, strings.Trim(w, "."))
		}
	}
	return words
}

func (c *corpus) jsonl() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for _, d := range c.docs {
		_ = enc.Encode(d) // strings alone
	}
	return b.Bytes()
}

func (c *corpus) sql() string {
	var b strings.Builder
	b.WriteString("create virtual table t using fts5(id unindexed, title, body, tokenize='porter unicode61');\nbegin;\n")
	for _, d := range c.docs {
		fmt.Fprintf(&b, "insert into t values('%s','%s','%s');\n", d.ID, d.Title, d.Text)
	}
	b.WriteString("commit;\n")
	return b.String()
}
