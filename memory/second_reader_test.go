package memory_test

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// This file is a second reader of memory files. It was written from FORMAT.md alone and shares no code with the
// package; second_journal_test.go is the same for the files of the journal.

func bad(line int, why string, args ...any) error {
	return fmt.Errorf("input.md:%d: %s", line, fmt.Sprintf(why, args...))
}

// secondRead reads a memory file: the values of its keys, its lines of unknown keys, and its text.
func secondRead(data []byte) (map[string]any, error) {
	head, text, err := secondSplit(data)
	if err != nil {
		return nil, err
	}
	entries, err := secondYAML(head)
	if err != nil {
		return nil, err
	}
	out := map[string]any{"text": text}
	for i := 0; i < len(entries); i += 2 {
		key, value := entries[i].Value, entries[i+1]
		read, known := secondKeys[key]
		if !known || isBlank(value) && !slices.Contains(secondRequired, key) {
			continue
		}
		if out[key], err = read(value); err != nil {
			return nil, err
		}
	}
	for _, key := range secondRequired {
		if out[key] == nil {
			return nil, bad(1, "%s is missing", key)
		}
	}
	if out["confidence"] == nil {
		out["confidence"] = 1.0
	}
	if out["priority"] == nil {
		out["priority"] = secondTypes[fmt.Sprint(out["type"])]
	}
	out["unknown"] = secondUnknown(head, entries)
	for key, value := range out {
		if key != "text" && slices.Contains([]any{nil, "", false}, any(value)) {
			delete(out, key)
		}
	}
	return out, nil
}

// secondSplit finds the fences (M1, M2), and refuses a conflict and a second memory (M5).
func secondSplit(data []byte) (head []string, text string, err error) {
	file := regexp.MustCompile(`\r+\n`).ReplaceAllString(strings.TrimPrefix(string(data), "\ufeff"), "\n")
	lines := strings.Split(file, "\n")
	if line := secondConflict(lines); line > 0 {
		return nil, "", bad(line, "a conflict")
	}
	end := 1 + slices.IndexFunc(lines[1:], func(l string) bool { return strings.TrimSpace(l) == "---" })
	if strings.TrimRight(lines[0], " \t") != "---" || end == 0 {
		return nil, "", bad(1, "no frontmatter, or no end of it")
	}
	if lines[end][0] != '-' {
		return nil, "", bad(end+1, "an indented fence")
	}
	head = lines[1:end]
	if size := len(strings.Join(head, "\n")) + 1; size > 16384 {
		return nil, "", bad(1, "%d bytes of frontmatter", size)
	}
	for i, l := range head {
		if !utf8.ValidString(l) || strings.ContainsAny(l, "\r\u0085\u2028\u2029") {
			return nil, "", bad(i+2, "a character that YAML readers disagree about")
		}
	}
	text = regexp.MustCompile(`^([ \t]*\n)+`).ReplaceAllString(strings.Join(lines[end+1:], "\n"), "")
	text = strings.TrimRight(text, " \t\r\n")
	other := regexp.MustCompile(`^---[ \t]*\n(?:[^-\n].*\n|\n)*?id:.*\n(?:[^-\n].*\n|\n)*?---[ \t]*(?:\n|$)`)
	if other.MatchString(text) {
		return nil, "", bad(end+1, "a second memory")
	}
	return head, text, nil
}

// secondConflict is the first line of a merge conflict: three marks of one length, in order.
func secondConflict(lines []string) int {
	mark := regexp.MustCompile(`^(<{7,}|={7,}|>{7,})( .*)?\r?$`)
	start, next, size := 0, "", 0
	for i, l := range lines {
		m := mark.FindStringSubmatch(l)
		switch {
		case m == nil:
		case m[1][0] == '<':
			start, next, size = i+1, "=", len(m[1])
		case start == 0 || len(m[1]) != size || m[1][:1] != next:
		case next == "=":
			next = ">"
		default:
			return start
		}
	}
	return 0
}

// secondYAML reads the keys of the frontmatter and their values alternately (M3).
func secondYAML(head []string) ([]*yaml.Node, error) {
	if i := slices.IndexFunc(head, regexp.MustCompile(`^\.\.\.(\s|$)`).MatchString); i >= 0 {
		return nil, bad(i+2, "a second document")
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(strings.Join(head, "\n")), &doc); err != nil {
		line := 0
		_, _ = fmt.Sscanf(err.Error(), "yaml: line %d:", &line)
		return nil, bad(line+1, "%v", err)
	}
	if len(doc.Content) == 0 {
		return nil, bad(1, "no keys")
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode || root.Style&yaml.FlowStyle != 0 {
		return nil, bad(root.Line+1, "no mapping in block style")
	}
	for i, key := range root.Content {
		if i%2 == 0 && key.Column != 1 {
			return nil, bad(key.Line+1, "an indented key")
		}
	}
	return root.Content, secondPlain(root)
}

// secondPlain refuses anchors, aliases, tags and repeated keys.
func secondPlain(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
		return bad(n.Line+1, "an anchor, an alias or a tag")
	}
	seen := map[string]bool{}
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && seen[c.Value] {
			return bad(c.Line+1, "a repeated key")
		}
		seen[c.Value] = i%2 == 0
		if err := secondPlain(c); err != nil {
			return err
		}
	}
	return nil
}

// secondUnknown are the lines of comments and of keys that are not known (M7).
func secondUnknown(head []string, entries []*yaml.Node) string {
	kept, known, inside := "", true, ""
	for i, l := range head {
		for j := 0; j < len(entries); j += 2 {
			if entries[j].Line == i+1 {
				_, known = secondKeys[entries[j].Value]
				if inside = ""; entries[j+1].Style != 0 {
					inside = entries[j+1].Value
				}
			}
		}
		isText := strings.Contains(inside, strings.TrimSpace(l))
		if !known && !strings.HasPrefix(l, "#") || strings.HasPrefix(l, "#") && !(known && isText) {
			kept += l + "\n"
		}
	}
	return kept
}

func isBlank(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0 }

var secondRequired = []string{"id", "type", "title", "created"}

// secondTypes are the priorities in the table of types.
var secondTypes = map[string]float64{
	"decision": 9, "rejected": 9, "architecture": 8, "preference": 8, "plan": 8, "fix": 7, "gotcha": 7, "learned": 7,
	"pattern": 7, "question": 6, "problem": 6, "progress": 6, "context": 5, "code": 5,
}

type secondValue func(*yaml.Node) (any, error)

// secondKeys read the values of all known keys.
var secondKeys = map[string]secondValue{
	"id": isID, "type": one(func(s string) (any, bool) { return s, secondTypes[s] > 0 }), "title": isWord,
	"created": one(secondTime), "updated": one(secondTime),
	"confidence": number(0, 1, 1000), "priority": number(1, 10, 1),
	"tags": listOf(isWord), "entities": listOf(isWord), "triggers": listOf(isWord), "seen": listOf(isWord),
	"files":   listOf(one(secondPath)),
	"links":   listOf(tableOf(map[string]secondValue{"rel": isRel, "to": isID}, "rel", "to")),
	"anchors": listOf(tableOf(map[string]secondValue{"path": one(secondPath), "blob": isHex}, "path", "blob")),
	"scope":   like(`branch|repository|global`), "hold": isWord,
	"source": tableOf(map[string]secondValue{
		"agent": isWord, "model": isWord, "session": isWord, "layer": isWord, "branch": isWord, "commit": isHex,
		"record": number(0, math.MaxInt32, 1), "ref": isWord, "origin": like(`person|agent|outside`),
	}),
	"pinned": isSwitch, "contested": isSwitch,
}

var (
	isID     = like(`[0-9a-hjkmnp-tv-z]{16}`)
	isWord   = like(`.{1,400}`)
	isHex    = lower(like(`(?i:[0-9a-f]{4,64})`))
	isSwitch = one(func(s string) (any, bool) {
		i := slices.Index([]string{"true", "yes", "on", "false", "no", "off"}, strings.ToLower(s))
		return i < 3, i >= 0
	})
	isRel = lower(like(`(?i:relates_to|derived_from|contradicts|exemplifies|refines|builds_on|supersedes|answers|` +
		`source_of|agrees|step_of)`))
)

func one(read func(string) (any, bool)) secondValue {
	return func(n *yaml.Node) (any, error) {
		value, ok := read(n.Value)
		if n.Kind != yaml.ScalarNode || !ok {
			return nil, bad(n.Line+1, "%q is no such value", n.Value)
		}
		return value, nil
	}
}

// like reads one line of a form.
func like(form string) secondValue {
	whole := regexp.MustCompile(`^(?:` + form + `)$`)
	return one(func(s string) (any, bool) {
		s = strings.Join(strings.Fields(s), " ")
		return s, whole.MatchString(s) && len(s) <= 400
	})
}

func lower(read secondValue) secondValue {
	return func(n *yaml.Node) (any, error) {
		value, err := read(n)
		return strings.ToLower(fmt.Sprint(value)), err
	}
}

func number(from, to, parts float64) secondValue {
	return one(func(s string) (any, bool) {
		n, err := strconv.ParseFloat(s, 64)
		whole := parts > 1 || n == math.Trunc(n)
		return math.Abs(math.Round(n*parts)) / parts, err == nil && whole && n >= from && n <= to
	})
}

// listOf reads a list as a set (M9).
func listOf(read secondValue) secondValue {
	return func(n *yaml.Node) (any, error) {
		if n.Kind != yaml.SequenceNode || len(n.Content) > 256 {
			return nil, bad(n.Line+1, "a list of at most 256 items is needed")
		}
		var out []any
		seen := map[string]bool{}
		for _, c := range n.Content {
			item, err := read(c)
			if err != nil {
				return nil, err
			}
			if !seen[fmt.Sprint(item)] {
				out = append(out, item)
			}
			seen[fmt.Sprint(item)] = true
		}
		if out == nil {
			return nil, nil
		}
		return out, nil
	}
}

// tableOf reads a mapping that has no other keys (M13), and these at least.
func tableOf(keys map[string]secondValue, needed ...string) secondValue {
	return func(n *yaml.Node) (any, error) {
		out := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			read := keys[key.Value]
			if read == nil {
				return nil, bad(key.Line+1, "unknown key %s", key.Value)
			}
			if isBlank(value) {
				continue
			}
			got, err := read(value)
			if err != nil {
				return nil, err
			}
			if got != 0.0 {
				out[key.Value] = got
			}
		}
		for _, key := range needed {
			if out[key] == nil {
				return nil, bad(n.Line+1, "%s is missing", key)
			}
		}
		return out, nil
	}
}

// secondTime reads a time (M10).
func secondTime(s string) (any, bool) {
	forms := []string{
		time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05", time.DateTime, time.DateOnly,
	}
	for _, layout := range forms {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC().Format(time.RFC3339), true
		}
	}
	return nil, false
}

// secondPath reads a path that stays in the repository (M11).
func secondPath(s string) (any, bool) {
	if s != strings.TrimSpace(s) || len(s) > 1024 || regexp.MustCompile(`[\x00-\x1f\x7f\\]|^.:`).MatchString(s) {
		return nil, false
	}
	for part := range strings.SplitSeq(strings.ToLower(s), "/") {
		part = strings.Join(strings.FieldsFunc(part, func(r rune) bool { return unicode.Is(unicode.Cf, r) }), "")
		part, _, _ = strings.Cut(part, ":")
		if slices.Contains([]string{"", ".git", "git~1"}, strings.TrimRight(part, ". ")) {
			return nil, false
		}
	}
	return s, true
}
