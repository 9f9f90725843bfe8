package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/tools/mockmodel"
)

// recorder is a cortex that keeps what its hooks are told, how long the transcript was then,
// and a copy of it: some agents delete theirs.
func recorder(cortex string) string {
	return fmt.Sprintf(`#!/bin/sh
[ "$1" = hook ] && [ -n "$RECORD_TO" ] || exec %[1]s "$@"
mkdir -p "$RECORD_TO"
n=$(ls "$RECORD_TO" | grep -c 'in\.json$')
in=$RECORD_TO/$(printf %%02d "$n").$2.in.json
cat >"$in"
transcript=$(grep -oE '"transcript_?[pP]ath": ?"[^"]*' "$in" | sed 's/.*"//')
if [ -f "$transcript" ]; then
	wc -l <"$transcript" >"${in%%.in.json}.lines"
	cp "$transcript" "$RECORD_TO/$(basename "$transcript")"
fi
exec %[1]s "$@" <"$in"
`, cortex)
}

// told is a line of hooks.jsonl of a recorded session: the payload of a hook, or a file of the
// recording with the path that it had.
type told struct {
	Event   string          `json:"event,omitempty"`
	Lines   int             `json:"lines,omitempty"` // that the transcript had then
	Payload json.RawMessage `json:"payload,omitempty"`
	File    string          `json:"file,omitempty"`
	Path    string          `json:"path,omitempty"`
}

// keepRecord writes what the hooks of a session were told, and the transcripts that they
// name, to FOLDER/CLIENT-VERSION-SESSION. Paths of this machine, and words of the client that
// are nobody's who ran it, are left out.
func (s *session) keepRecord(folder string) error {
	files, err := filepath.Glob(filepath.Join(s.recordTo(), "*.in.json"))
	if err != nil {
		return err
	}
	slices.Sort(files)
	s.known = s.words()
	to := filepath.Join(folder, s.agent.name+"-"+s.version+"-"+s.name)
	if err := errors.Join(os.RemoveAll(to), os.MkdirAll(to, 0o777)); err != nil {
		return err
	}
	var hooks, named bytes.Buffer
	var paths []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		line := told{Event: strings.Split(filepath.Base(file), ".")[1], Payload: s.plain(data)}
		if text, err := os.ReadFile(strings.TrimSuffix(file, ".in.json") + ".lines"); err == nil {
			line.Lines, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		}
		for _, found := range transcriptPath().FindAllSubmatch(data, -1) {
			paths = append(paths, s.family(string(found[1]))...)
		}
		writeLine(&hooks, line)
	}
	slices.Sort(paths)
	same := func(a, b string) bool { return s.withoutMachine(a) == s.withoutMachine(b) }
	for i, path := range slices.CompactFunc(paths, same) {
		data, err := os.ReadFile(path)
		if err != nil {
			data, err = os.ReadFile(filepath.Join(s.recordTo(), filepath.Base(path)))
		}
		if err != nil {
			return err
		}
		name := fmt.Sprintf("%d%s", i+1, filepath.Ext(path))
		writeLine(&named, told{File: name, Path: s.withoutMachine(path)})
		if err := os.WriteFile(filepath.Join(to, name), s.plainLines(data), 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(to, "hooks.jsonl"), append(named.Bytes(), hooks.Bytes()...), 0o666)
}

func writeLine(b *bytes.Buffer, line told) {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	_ = e.Encode(line)
}

// transcriptPath matches the members of a payload that name a transcript.
var transcriptPath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"(?:agent_)?transcript_?[pP]ath": ?"([^"]+)"`)
})

// family is a transcript with those of the subagents of a session.
func (s *session) family(path string) []string {
	of, _ := filepath.Glob(filepath.Join(strings.TrimSuffix(path, filepath.Ext(path)), "subagents", "*.jsonl"))
	return append(of, path)
}

// withoutMachine puts names in place of the folders of a session.
func (s *session) withoutMachine(text string) string {
	dashed := func(path string) string { return regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(path, "-") }
	text = exported().ReplaceAllString(text, "/cortex/")
	return strings.NewReplacer(
		s.repo(), "$REPO", s.home(), "$HOME", filepath.Join(s.dir, "tmp"), "$TMP", s.dir, "$TMP",
		dashed(s.repo()), "-repo", s.clients, "$CLIENTS", s.root, "$CLIENTS", s.world.dir, "$TMP",
	).Replace(text)
}

// exported matches the folder, another one each time, in which OpenCode hands a session over.
var exported = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`/cortex-[A-Za-z0-9]{6}/`) })

// plainLines is a transcript, by lines or as one document, with what may be kept of it.
func (s *session) plainLines(data []byte) []byte {
	var out bytes.Buffer
	for d := json.NewDecoder(bytes.NewReader(data)); ; {
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return out.Bytes()
		}
		out.Write(append(s.plain(value), '\n'))
	}
}

// plain is a JSON value with what may be kept of it, its members in the order in which they
// were.
func (s *session) plain(data []byte) []byte {
	var out bytes.Buffer
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	p := plainer{s, d, &out}
	if err := p.value(""); err != nil && !errors.Is(err, io.EOF) {
		return nil
	}
	return out.Bytes()
}

// plainer copies a JSON value.
type plainer struct {
	s   *session
	d   *json.Decoder
	out *bytes.Buffer
}

// foreign reports whether a member holds nothing but what a client tells its model.
func foreign(key string) bool {
	return slices.Contains([]string{
		"tools", "shape", "systemPrompt", "input_schema", "schema", "base_instructions", "requestMessages", "host_skills",
		"addedLines", "addedTypes", "addedBlocks", "encrypted_content", "removedLines", "toolDefinitions", "tool_definitions",
	}, key)
}

// value copies a value of a member.
func (p plainer) value(key string) error {
	if foreign(key) {
		var skipped json.RawMessage
		err := p.d.Decode(&skipped)
		p.out.WriteString(map[byte]string{'{': "{}", '[': "[]", '"': `""`}[append(skipped, 'n')[0]])
		if len(skipped) > 0 && !bytes.ContainsAny(skipped[:1], `{["`) {
			p.out.Write(skipped)
		}
		return err
	}
	token, err := p.d.Token()
	if err != nil {
		return err
	}
	switch token := token.(type) {
	case json.Delim:
		return p.inside(token)
	case string:
		p.text(p.s.kept(p.s.withoutMachine(token)))
	default:
		text, _ := json.Marshal(token)
		p.out.Write(text)
	}
	return nil
}

func (p plainer) text(text string) {
	e := json.NewEncoder(p.out)
	e.SetEscapeHTML(false)
	_ = e.Encode(text)
	p.out.Truncate(p.out.Len() - 1)
}

// inside copies the elements of a list, or the members of an object.
func (p plainer) inside(open json.Delim) error {
	p.out.WriteString(open.String())
	for n := 0; p.d.More(); n++ {
		if n > 0 {
			p.out.WriteString(",")
		}
		key := ""
		if open == '{' {
			token, err := p.d.Token()
			if err != nil {
				return err
			}
			key, _ = token.(string)
			p.text(p.s.withoutMachine(key))
			p.out.WriteString(":")
		}
		if err := p.value(key); err != nil {
			return err
		}
	}
	end, err := p.d.Token()
	if err == nil {
		p.out.WriteString(end.(json.Delim).String())
	}
	return err
}

// Bounds of a client's own words in a recording.
const (
	longText = 160 // a text up to which is kept as it is
	longGap  = 120 // between words of ours
	edge     = 32  // what is kept of a line at both ends of a longer gap
)

const omitted = "(words of the client)"

// kept is a text with what may be kept of it: the words of the scripts, of the project and of
// cortex, and few of the client's beside them.
func (s *session) kept(text string) string {
	if len(text) <= longText {
		return text
	}
	var b strings.Builder
	at := 0
	for _, span := range s.ours(text) {
		if span[1] <= at {
			continue
		}
		b.WriteString(gap(text[at:max(at, span[0])], at == 0, false))
		b.WriteString(text[max(at, span[0]):span[1]])
		at = span[1]
	}
	b.WriteString(gap(text[at:], at == 0, true))
	return b.String()
}

// gap returns the part that is kept of a client's words between others: of long ones the lines at its ends,
// if they are short.
func gap(text string, first, last bool) string {
	if len(text) <= longGap && !(first && last) {
		return text
	}
	if found := element().FindStringSubmatch(text); found != nil && first && last {
		return found[1] + "\n" + omitted + "\n" + found[2] // agents tell by it whose words it holds
	}
	before, after := "", ""
	if line, _, ok := strings.Cut(text, "\n"); ok && (!first || strings.HasPrefix(line, "<")) && len(line) < edge {
		before = line + "\n"
	}
	if i := strings.LastIndexByte(text, '\n'); i >= 0 && (!last || strings.HasSuffix(text, ">")) && len(text)-i < edge {
		after = text[i:]
	}
	return before + omitted + after
}

// ours are the parts of a text that are ours, in order.
func (s *session) ours(text string) [][]int {
	out := append(briefings().FindAllStringIndex(text, -1), elements().FindAllStringIndex(text, -1)...)
	for _, words := range s.known {
		for at := 0; ; {
			i := strings.Index(text[at:], words)
			if i < 0 {
				break
			}
			out = append(out, []int{at + i, at + i + len(words)})
			at += i + len(words)
		}
	}
	slices.SortFunc(out, func(a, b []int) int { return cmp.Or(a[0]-b[0], b[1]-a[1]) })
	return out
}

// briefings matches what hooks of cortex say, also as a string of JSON or HTML.
var briefings = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)(?:<|&lt;)!-- cortex:briefing --.*?/cortex:briefing --(?:>|&gt;)`)
})

// elements matches short elements of a client around a text, such as the name of a command.
var elements = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<[a-z_-]+>[^<\n]{0,40}</[a-z_-]+>`) })

// element matches a text that is one element.
var element = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)^(<[a-z_-]+>).*(</[a-z_-]+>)\s*$`) })

// words are texts that the sessions say, and that the project and cortex have.
func (s *session) words() []string {
	out := []string{mockmodel.Summary}
	for _, script := range s.scripts {
		for _, step := range script {
			out = append(out, step.Text)
			if step.Tool != nil {
				out = append(out, step.Tool.Prompt, step.Tool.Cmd)
			}
		}
	}
	files, _ := filepath.Glob(filepath.Join(s.repo(), "*"))
	for _, file := range append(files, filepath.Join(s.repo(), ".claude", "rules", "cortex.md")) {
		text, _ := os.ReadFile(file)
		out = append(out, strings.TrimSpace(string(text)))
		out = append(out, strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' || r == '"' })...)
	}
	return withQuoted(out)
}

// withQuoted returns texts that can be told from a client's, also as strings of JSON in strings.
func withQuoted(out []string) []string {
	for _, text := range out {
		quoted, _ := json.Marshal(text)
		out = append(out, strings.Trim(string(quoted), `"`))
	}
	return slices.DeleteFunc(out, func(text string) bool { return len(text) < leastWords })
}

// leastWords is how long a text is at least that can be told from a client's.
const leastWords = 12
