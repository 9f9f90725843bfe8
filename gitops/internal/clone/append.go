package clone

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// appended is data with sections for edits at its end, byte for byte as git would write
// them one process after the other. It is not ok where git has to find out what data says:
// where a heading may be that of cortex, or a key does not belong below such a heading.
func appended(data []byte, edits []gitcmd.Setting) (after []byte, ok bool) {
	if mayHead(data, "cortex") || !bytes.HasSuffix(data, []byte("\n")) {
		return nil, false
	}
	var headings []string
	below := map[string]string{}
	for _, e := range edits {
		heading, name, ok := splitKey(e.Key)
		if !ok {
			return nil, false
		}
		if e.Value == "" {
			continue
		}
		if !slices.Contains(headings, heading) {
			headings = append(headings, heading)
		}
		below[heading] += "\t" + name + " = " + quoted(e.Value) + "\n"
	}
	if len(headings) == 0 {
		return data, true
	}
	after = ended(data)
	for _, h := range headings {
		after = append(after, h+"\n"+below[h]...)
	}
	return after, true
}

// ended is a copy of data whose last line does not go on in the next one: git would
// take a heading after a backslash for the rest of a value.
func ended(data []byte) []byte {
	line := bytes.TrimSuffix(bytes.TrimSuffix(data, []byte("\n")), []byte("\r"))
	if !bytes.HasSuffix(line, []byte(`\`)) {
		return slices.Clone(data)
	}
	if len(line) == len(data) {
		return slices.Concat(data, []byte("\n\n"))
	}
	return slices.Concat(data, []byte("\n"))
}

// mayHead reports whether a line of a configuration file may be a heading with a word,
// in lower case, also where it is written with escapes.
func mayHead(data []byte, word string) bool {
	for line := range bytes.Lines(data) {
		if bytes.IndexByte(line, '[') >= 0 &&
			(bytes.IndexByte(line, '\\') >= 0 || bytes.Contains(bytes.ToLower(line), []byte(word))) {
			return true
		}
	}
	return false
}

// splitKey returns the heading of a key of cortex, and its name below the heading.
func splitKey(key string) (heading, name string, ok bool) {
	if strings.Trim(key, "abcdefghijklmnopqrstuvwxyz0123456789.-") != "" {
		return "", "", false
	}
	dot := strings.LastIndexByte(key, '.')
	if dot < 0 {
		return "", "", false
	}
	section, sub, has := strings.Cut(key[:dot], ".")
	if heading = "[" + section + "]"; has {
		heading = "[" + section + ` "` + sub + `"]`
	}
	return heading, key[dot+1:], strings.Contains(heading, "cortex")
}

// quoted is a value as git writes it.
func quoted(value string) string {
	quote := ""
	if strings.ContainsAny(value, ";#\r") || strings.HasPrefix(value, " ") || strings.HasSuffix(value, " ") {
		quote = `"`
	}
	return quote + strings.NewReplacer("\n", `\n`, "\t", `\t`, `"`, `\"`, `\`, `\\`).Replace(value) + quote
}

// says reports whether git reads a configuration file as we mean it: each key has its
// value, once.
func (c Config) says(ctx context.Context, data []byte, edits []gitcmd.Setting) bool {
	if len(edits) == 0 {
		return true
	}
	name, err := c.copied(data)
	if err != nil {
		return false
	}
	defer os.Remove(name)
	config, err := c.git.Config(ctx, "--file", name)
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(edits, func(e gitcmd.Setting) bool {
		var want []string
		if e.Value != "" {
			want = []string{e.Value}
		}
		return !slices.Equal(config.Values(e.Key), want)
	})
}
