package memory_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// str is a value as text, "" for none, by which values of two versions are compared.
func str(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// secondMerge merges versions of a memory (rules G), given as they were read and as their files. Without a common
// version, base is nil.
func secondMerge(base, ours, theirs map[string]any, files [2]string) map[string]any {
	first, other := ours, theirs
	if slices.Compare([]string{str(theirs["updated"]), files[1]}, []string{str(ours["updated"]), files[0]}) > 0 {
		first, other = theirs, ours
	}
	out, lost := map[string]any{}, ""
	for _, key := range secondOrder {
		b, o, t := base[key], ours[key], theirs[key]
		switch {
		case str(o) == str(t) || str(t) == str(b):
			out[key] = o
		case str(o) == str(b):
			out[key] = t
		case key == "created":
			out[key] = min(str(o), str(t))
		case key == "updated":
			out[key] = max(str(o), str(t))
		case slices.Contains([]string{"tags", "files", "entities", "links", "anchors", "triggers", "seen"}, key):
			out[key] = secondSet(b, o, t)
		default:
			out[key] = first[key]
			if base != nil && key != "source" {
				lost += fmt.Sprintf("\n- %s: %v", key, other[key])
			}
		}
	}
	text, clean := secondLines(str(base["text"]), str(ours["text"]), str(theirs["text"]))
	if !clean {
		a, b := str(ours["text"]), str(theirs["text"])
		text = min(a, b) + "\n\n**Contested**, the other version says:\n\n" + max(a, b)
	}
	if lost != "" {
		text += "\n\n**Contested**, the other version has:\n" + lost
	}
	if lost != "" || !clean {
		out["contested"] = true
	}
	unknown := func(m map[string]any) string { return str(m["unknown"]) }
	out["text"] = text
	out["unknown"] = secondBlocks(unknown(base), unknown(ours), unknown(theirs), unknown(first))
	maps.DeleteFunc(out, func(key string, v any) bool { return v == nil || v == "" && key != "text" })
	return out
}

// secondOrder are the keys in the order of FORMAT.md.
var secondOrder = []string{
	"id", "type", "title", "created", "updated", "confidence", "priority", "tags", "files", "entities", "links",
	"anchors", "triggers", "seen", "scope", "hold", "source", "pinned", "contested",
}

// secondSet joins lists: first what both sides still have, then what either side added, sorted (G4).
func secondSet(base, ours, theirs any) []any {
	items := func(v any) []any { list, _ := v.([]any); return list }
	has := func(list []any, v any) bool {
		return slices.ContainsFunc(list, func(x any) bool { return str(x) == str(v) })
	}
	var out, added []any
	for _, v := range items(base) {
		if has(items(ours), v) && has(items(theirs), v) {
			out = append(out, v)
		}
	}
	for _, v := range slices.Concat(items(ours), items(theirs)) {
		if !has(items(base), v) && !has(added, v) {
			added = append(added, v)
		}
	}
	slices.SortFunc(added, func(a, b any) int { return strings.Compare(str(a), str(b)) })
	return append(out, added...)
}

// secondLines merges texts of as many lines; clean is false where both sides changed a line.
func secondLines(base, ours, theirs string) (merged string, clean bool) {
	if ours == theirs {
		return ours, true
	}
	b, o, t := strings.Split(base, "\n"), strings.Split(ours, "\n"), strings.Split(theirs, "\n")
	if len(o) != len(b) || len(t) != len(b) {
		return "", false
	}
	for i := range b {
		switch {
		case o[i] == b[i]:
			o[i] = t[i]
		case t[i] != b[i] && t[i] != o[i]:
			return "", false
		}
	}
	return strings.Join(o, "\n"), true
}

// secondBlocks merges the lines of unknown keys, each key as a value, and comments as a list (G5).
func secondBlocks(base, ours, theirs, first string) string {
	if ours == base || theirs == base || ours == theirs {
		if ours == base {
			return theirs
		}
		return ours
	}
	split := func(lines string) (comments []any, keys map[string]any) {
		keys, at := map[string]any{}, ""
		for line := range strings.Lines(lines) {
			if key, _, ok := strings.Cut(line, ":"); ok && !strings.ContainsAny(line[:1], " \t-#") {
				at = key
			}
			if at == "" {
				comments = append(comments, line)
			} else {
				keys[at] = str(keys[at]) + line
			}
		}
		return comments, keys
	}
	bc, b := split(base)
	oc, o := split(ours)
	tc, t := split(theirs)
	_, f := split(first)
	merged := ""
	for _, line := range secondSet(bc, oc, tc) {
		merged += str(line)
	}
	all := maps.Clone(o)
	maps.Copy(all, t)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		switch {
		case str(o[key]) == str(b[key]):
			merged += str(t[key])
		case str(t[key]) == str(b[key]):
			merged += str(o[key])
		default:
			merged += str(f[key])
		}
	}
	return merged
}

// secondPathOK reports whether a path may be in a journal (J1), and in one that is exchanged (S1, S2).
func secondPathOK(p string, exchanged bool) bool {
	forms := `pending/[^/]+/[^/]+/\d{4}-(0[1-9]|1[0-2])/[^/]+\.md|sessions/\d{4}-(0[1-9]|1[0-2])/[^/]+\.md|` +
		`access/[^/]+\.tsv|dismissed/[^/]+|(received|accepted)/[^/]+`
	if exchanged {
		forms = `pending/[^/]+/(` + strings.Join(slices.Collect(maps.Keys(secondTypes)), "|") + `)/\d{4}-\d\d/` +
			`[a-z0-9-]+-([0-9a-hjkmnp-tv-z]{7}|[0-9a-hjkmnp-tv-z]{16})\.md|sessions/\d{4}-\d\d/[^/]+\.md|` +
			`access/[0-9a-f]{16}\.tsv|dismissed/[0-9a-hjkmnp-tv-z]{16}`
	}
	parts := strings.Split(p, "/")
	form := regexp.MustCompile(`^[A-Za-z0-9_%]([A-Za-z0-9._%-]*[A-Za-z0-9_%-])?$`)
	for _, part := range parts {
		if !form.MatchString(part) || len(part) > 1024 {
			return false
		}
	}
	if _, ok := secondBranch(parts[min(1, len(parts)-1)]); parts[0] == "pending" && !ok {
		return false
	}
	return regexp.MustCompile(`^(?:` + forms + `)$`).MatchString(p)
}

// secondBranch reads a branch of a path (J2).
func secondBranch(component string) (branch string, ok bool) {
	if component == "%" {
		return "", true
	}
	escape := regexp.MustCompile(`%[0-9A-F]{2}`)
	branch = escape.ReplaceAllStringFunc(component, func(s string) string {
		c, _ := strconv.ParseUint(s[1:], 16, 8)
		return string([]byte{byte(c)})
	})
	again := ""
	for i := range len(branch) {
		c := branch[i : i+1]
		edge := i == 0 && c == "-" || (i == 0 || i == len(branch)-1) && c == "."
		if edge || !regexp.MustCompile(`[A-Za-z0-9._-]`).MatchString(c) {
			c = fmt.Sprintf("%%%02X", branch[i])
		}
		again += c
	}
	return branch, component == again && branch != ""
}

// secondSpool reads the changes of a spool (J5).
func secondSpool(data string) []any {
	var out []any
	for line := range strings.Lines(data) {
		sum, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		var change map[string]any
		isWhole := fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(text))) == sum
		if !isWhole || json.Unmarshal([]byte(text), &change) != nil {
			continue
		}
		put, _ := change["put"].(map[string]any)
		for p, content := range put {
			raw, _ := base64.StdEncoding.DecodeString(str(content))
			put[p] = string(raw)
		}
		out = append(out, change)
	}
	return out
}

// secondSafe reads the objects of a safe as lines "kind size" (J6).
func secondSafe(data string) []any {
	var out []any
	header := regexp.MustCompile(`(?m)^cortex-safe ([0-9a-f]{8}) (\d+) [0-9a-f]+\n`)
	for _, at := range header.FindAllStringSubmatchIndex(data, -1) {
		size, _ := strconv.Atoi(data[at[4]:at[5]])
		body := data[at[1]:min(at[1]+size, len(data))]
		if fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(body))) != data[at[2]:at[3]] {
			continue
		}
		for body != "" {
			head, rest, _ := strings.Cut(body, "\n")
			n := 0
			_, _ = fmt.Sscanf(head[strings.IndexByte(head, ' '):], "%d", &n)
			out, body = append(out, head), rest[n+1:]
		}
	}
	return out
}

// secondUses reads counters (A1): count and time by id.
func secondUses(data string) map[string][2]int {
	out := map[string][2]int{}
	for line := range strings.Lines(data) {
		m := regexp.MustCompile(`^([0-9a-hjkmnp-tv-z]{16})\t(\d+)\t(-?\d+)\r?\n?$`).FindStringSubmatch(line)
		if m == nil {
			continue
		}
		count, _ := strconv.Atoi(m[2])
		last, _ := strconv.Atoi(m[3])
		if count <= 1e6 {
			out[m[1]] = [2]int{count, last}
		}
	}
	return out
}

// secondCounters writes counters (A2).
func secondCounters(uses map[string][2]int) string {
	out := ""
	for _, id := range slices.Sorted(maps.Keys(uses)) {
		out += fmt.Sprintf("%s\t%d\t%d\n", id, uses[id][0], uses[id][1])
	}
	return out
}

// secondJoin joins counters of two files: the larger of each line (A3), or the sum of their counts (A4).
func secondJoin(a, b string, sum bool) string {
	uses := secondUses(a)
	for id, u := range secondUses(b) {
		have := uses[id]
		count := max(have[0], u[0])
		if sum {
			count = have[0] + u[0]
		}
		uses[id] = [2]int{count, max(have[1], u[1])}
	}
	return secondCounters(uses)
}

// secondContentOK reports whether a file keeps what its path promises (S2).
func secondContentOK(p, content string) bool {
	family, _, _ := strings.Cut(p, "/")
	m, err := secondRead([]byte(content))
	id := str(m["id"])
	switch family {
	case "pending":
		name := strings.TrimSuffix(path.Base(p), ".md")
		return err == nil && strings.HasPrefix(id, name[strings.LastIndex(name, "-")+1:])
	case "dismissed":
		return err != nil || id == path.Base(p)
	case "access":
		return secondCounters(secondUses(content)) == content
	}
	record, err := secondRecord(content)
	return err == nil && path.Base(str(record["path"])) == path.Base(p)
}

// secondUnion unites the files of two journals (rules S).
func secondUnion(base, ours, theirs map[string]string) map[string]string {
	dismissed := func(side map[string]string, content string) bool {
		m, _ := secondRead([]byte(content))
		_, ok := side["dismissed/"+str(m["id"])]
		return ok
	}
	out := map[string]string{}
	all := maps.Clone(ours)
	maps.Copy(all, theirs)
	for p := range all {
		b, o, t := base[p], ours[p], theirs[p]
		pending, access := strings.HasPrefix(p, "pending/"), strings.HasPrefix(p, "access/")
		switch {
		case pending && (dismissed(ours, all[p]) || dismissed(theirs, all[p])):
		case o == t || t == b && !access:
			out[p] = o
		case o == b && !access:
			out[p] = t
		case o == "" || t == "": // an edit comes before a removal
			out[p] = o + t
		default:
			maps.Copy(out, secondBoth(p, b, o, t))
		}
	}
	maps.DeleteFunc(out, func(_, content string) bool { return content == "" })
	return out
}

// secondBoth unites two versions of one file that both sides changed.
func secondBoth(p, base, ours, theirs string) map[string]string {
	switch family, _, _ := strings.Cut(p, "/"); family {
	case "access":
		return map[string]string{p: secondJoin(ours, theirs, false)}
	case "sessions":
		a, _ := secondRecord(ours)
		b, _ := secondRecord(theirs)
		rank := func(r map[string]any, file string) string {
			return fmt.Sprintf("%020s %s %s", str(r["offset"]), str(r["end"]), file)
		}
		if rank(a, ours) > rank(b, theirs) {
			return map[string]string{p: ours}
		}
		return map[string]string{p: theirs}
	}
	a, errA := secondRead([]byte(ours))
	b, errB := secondRead([]byte(theirs))
	switch {
	case errA != nil && errB != nil:
		return map[string]string{p: max(ours, theirs)}
	case errA != nil:
		return map[string]string{p: theirs}
	case errB != nil:
		return map[string]string{p: ours}
	case str(a["id"]) != str(b["id"]):
		less, _ := secondRead([]byte(min(ours, theirs)))
		long := p[:strings.LastIndex(p, "-")+1] + str(less["id"]) + ".md"
		return map[string]string{p: max(ours, theirs), long: min(ours, theirs)}
	}
	o, _ := secondRead([]byte(base))
	merged, _ := json.Marshal(secondMerge(o, a, b, [2]string{ours, theirs}))
	return map[string]string{p: string(merged)}
}

// secondRecord reads a session record (rules R): its known keys, its path, its cursor's offset, its unknown lines, and
// the lines of each section.
func secondRecord(data string) (map[string]any, error) {
	head, body, ok := strings.Cut(strings.TrimPrefix(data, "---\n"), "\n---\n")
	if !ok || !strings.HasPrefix(data, "---\n") {
		return nil, fmt.Errorf("no frontmatter")
	}
	keys, unknown, inside := map[string]any{}, "", false
	for line := range strings.SplitSeq(head, "\n") {
		key, value, found := strings.Cut(line, ":")
		if found && !strings.ContainsAny(line[:1], " \t-#") {
			inside = !slices.Contains(recordKeys, key)
		}
		if inside || strings.HasPrefix(line, "#") {
			unknown += line + "\n"
			continue
		}
		if value = strings.TrimSpace(value); strings.HasPrefix(value, `"`) {
			value, _ = strconv.Unquote(value)
		}
		keys[key] = value
	}
	cursor := map[string]int{}
	for _, m := range regexp.MustCompile(`(\w+): ([0-9]+)[,}]`).FindAllStringSubmatch(str(keys["cursor"]), -1) {
		cursor[m[1]], _ = strconv.Atoi(m[2])
	}
	for _, pair := range [][2]string{{"context", "offset"}, {"stable", "lines"}, {"context_lines", "stable"}} {
		if cursor[pair[0]] > cursor[pair[1]] {
			clear(cursor)
		}
	}
	month := regexp.MustCompile(`^\d{4}-\d\d`).FindString(str(keys["start"]))
	if month == "" {
		month = regexp.MustCompile(`^\d{4}-\d\d`).FindString(str(keys["end"]))
	}
	if month == "" {
		month = "0001-01"
	}
	out := map[string]any{
		"path":   "sessions/" + month + "/" + recordWord(str(keys["agent"])) + "-" + recordWord(str(keys["session"])) + ".md",
		"end":    regexp.MustCompile(`^\d{4}-.*Z$`).FindString(str(keys["end"])),
		"offset": cursor["offset"], "unknown": unknown,
	}
	title := ""
	for line := range strings.SplitSeq(body, "\n") {
		if t, ok := strings.CutPrefix(line, "## "); ok {
			title = t
			continue
		}
		form := recordForms[title]
		if line = strings.TrimSpace(line); form != "" && regexp.MustCompile(`^(?:`+form+`)$`).MatchString(line) {
			lines, _ := out[title].([]string)
			out[title] = append(lines, line)
		}
	}
	return out, nil
}

// recordWord is a word of the path of a record (R1).
func recordWord(s string) string {
	s = regexp.MustCompile(`[./]`).ReplaceAllString(s, "-")
	s = regexp.MustCompile(`[^A-Za-z0-9_-]|^-+`).ReplaceAllString(s, "")
	s = strings.TrimLeft(s, "-")
	if s == "" {
		return "unknown"
	}
	return s[:min(len(s), 80)]
}

var recordKeys = strings.Fields("agent session branch title start end head head_now turns errors calls edit_call " +
	"edit_seconds corrections watched not_english private broken too_long unknown plan plan_line curated subjects cursor")

// recordForms are the lines of each section (R4, R5).
var recordForms = map[string]string{
	"Requests": `- line [1-9]\d*: .+`,
	"Topics": `####? line \d+, (-|\d{4}-\S+), (opening|transition|step|pause|subject|back): .+|` +
		`(About|Asked|Result|Open): .+|Back: line \d+|- .+`,
	"Found":    `- [0-9a-hjkmnp-tv-z]{16} ` + recordFinding,
	"Notes":    `id: [0-9a-hjkmnp-tv-z]{16}`,
	"Not kept": `- (-|[0-9a-hjkmnp-tv-z]{16}) ` + recordFinding,
	"Curated":  `- [0-9a-hjkmnp-tv-z]{16} (became|dropped|left|folded):.*`, "Plan": `>.*`, "Steps": `- \[.\] \S+: .+`,
	"Modified": `- .+`, "Read": `- .+`, "Commands": `- .+`, "Failed": `- .+`, "Again": `- [0-9a-hjkmnp-tv-z]{16}`,
}

const recordFinding = `(decision|rejected|architecture|preference|plan|fix|gotcha|learned|pattern|question|problem|` +
	`progress|context|code) ` +
	`(tag|answer|user|structure|pattern|recipe|curated|llm) [01](\.\d+)? line [1-9]\d*: .+`
