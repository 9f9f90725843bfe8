package hubtest

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// kinds make a question of each kind that a query can be.
func (c *Corpus) kinds() []func() string {
	words := func(least, more int) string { return c.Words(least + c.random.IntN(more)) }
	day := func() string { return Clock().AddDate(0, 0, -c.random.IntN(400)).Format("2006-01-02") }
	return []func() string{
		func() string { return words(1, 4) },
		func() string { return words(2, 6) },
		func() string { return `"` + c.passage(2) + `"` },
		func() string { return `"` + c.passage(3) + `" ` + words(1, 2) },
		func() string { return c.misspelt() },
		func() string { return c.misspelt() + " " + words(1, 2) },
		func() string {
			return c.pick("githubtoken", "git hub", "web socket", "time out", "sourceMap") + " " + words(1, 2)
		},
		func() string {
			return "type:" + c.pick("decision", "gotcha", "fix", "question", "plan") + " " + words(1, 3)
		},
		func() string { return "tag:" + c.pick("web", "api", "none") + " " + words(1, 3) },
		func() string {
			return "file:" + c.pick("src/app", "deploy/nginx.conf", `"main.go"`, "docs/") + " " + words(1, 2)
		},
		func() string { return "entity:" + c.Markers[c.random.IntN(len(c.Markers))] },
		func() string { return c.pick("since:", "until:", "after:", "before:") + day() + " " + words(1, 2) },
		func() string {
			return c.pick("branch:main ", "session:0b2c ", "-branch:fix ", "since:9w ") + words(1, 2)
		},
		func() string {
			return c.pick("is:open", "is:pinned", "status:superseded", "status:active", "is:contested") + " " +
				words(0, 3)
		},
		func() string { return words(1, 3) + " -" + c.plain() },
		func() string { return words(1, 3) + ` -"` + c.passage(2) + `"` },
		func() string {
			return c.pick("decisions about ", "open questions about ", "what did we decide about the ", "newest ",
				"problems with ", "last month ", "why does ", "rejected approaches ") + words(1, 3)
		},
		func() string { return fmt.Sprintf("qx%dvw %s", c.random.IntN(1000), words(0, 2)) },
		func() string { return c.Words(20 + c.random.IntN(60)) },
		func() string {
			return c.pick("", "the of", "type:decision", "tag:web -type:plan", "語学", "café", "-proxy")
		},
	}
}

// Questions are so many queries, all kinds in turn.
func (c *Corpus) Questions(n int) []string {
	kinds := c.kinds()
	out := make([]string, n)
	for i := range out {
		out[i] = kinds[i%len(kinds)]()
	}
	return out
}

// passage is some neighbouring words of a memory.
func (c *Corpus) passage(n int) string {
	words := strings.Fields(strings.ReplaceAll(c.known[c.random.IntN(len(c.known))].Text, ".\n", "\n"))
	from := c.random.IntN(len(words) - n)
	return strings.Join(words[from:from+n], " ")
}

// plain is a word of letters.
func (c *Corpus) plain() string {
	for {
		w := c.Words(1)
		if len(w) > 5 && utf8.RuneCountInString(w) == len(w) && !strings.ContainsAny(w, "-_/.") {
			return w
		}
	}
}

// misspelt is a word with one letter too few, too many, or two of them in the other order.
func (c *Corpus) misspelt() string {
	w := c.plain()
	at := 1 + c.random.IntN(len(w)-2)
	switch c.random.IntN(3) {
	case 0:
		return w[:at] + w[at+1:]
	case 1:
		return w[:at] + "x" + w[at:]
	}
	return w[:at] + string([]byte{w[at+1], w[at]}) + w[at+2:]
}
