package capture

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
)

// reply is a short answer of the user to the agent's last message, taken apart.
type reply struct {
	pick     int    // the option that it names, from 1; 0 for none
	letter   bool   // named by a letter
	approves bool   // it agrees, whether it names an option or not
	rest     string // what it adds
}

// replySize is how long a part of an answer may be, in bytes, that names an option
// or agrees.
const replySize = 40

// replyTo reads "yes, do B", "the second one please" and "ok", in the languages of
// replyWord. An answer that says anything else before it has agreed or picked is
// none; what it says after that is the rest.
func replyTo(body string) (reply, bool) {
	var r reply
	for body != "" && r.pick == 0 {
		i := strings.IndexAny(body, ",.;!:")
		part, rest := body, ""
		if i >= 0 {
			part, rest = body[:i], body[i+1:]
		}
		if !r.take(part) {
			break
		}
		body = strings.TrimLeft(rest, " ")
	}
	r.rest = strings.TrimSpace(body)
	if n, _ := optionKey(prose.FirstWord(r.rest)); n > 0 {
		return reply{}, false // an answer to each of several questions
	}
	return r, r.pick > 0 || r.approves
}

// take reads one part of an answer. It is false, and takes nothing, for a part with
// a word that is no part of picking or agreeing.
func (r *reply) take(part string) bool {
	if len(part) > replySize || len(strings.TrimSpace(part)) == 0 {
		return false
	}
	now := *r
	noun := false // the word before may have a letter behind it
	for i, raw := range strings.Fields(part) {
		for _, w := range prose.Words(raw) {
			n, isLetter := optionKey(w)
			switch kind := replyWord(w); {
			case isLetter && w == "a" && !noun && (i == 0 && len(strings.Fields(part)) > 1 || !strings.Contains(raw, "A")):
				return false // an article, or a slip
			case n > 0:
				if now.pick > 0 {
					return false
				}
				now.pick, now.letter = n, isLetter
			case kind == wordUnknown:
				return false
			case kind == wordAgrees:
				now.approves = true
			}
			noun = replyWord(w) == wordOption
		}
	}
	if now.pick == 0 && !now.approves {
		return false
	}
	*r = now
	return true
}

// optionKey reads the number, letter or ordinal that names an option.
func optionKey(w string) (n int, isLetter bool) {
	if len(w) == 1 && w[0] >= '1' && w[0] <= '9' {
		return int(w[0] - '0'), false
	}
	if len(w) == 1 && w[0] >= 'a' && w[0] <= 'e' {
		return int(w[0]-'a') + 1, true
	}
	switch w {
	case "first", "erste", "ersten", "erster", "erstes", "primera", "primero", "premier", "première":
		return 1, false
	case "second", "zweite", "zweiten", "zweiter", "zweites", "segunda", "segundo", "deuxième", "seconde":
		return 2, false
	case "third", "dritte", "dritten", "dritter", "drittes", "tercera", "tercero", "troisième":
		return 3, false
	}
	return 0, false
}

type replyKind int

const (
	wordUnknown replyKind = iota
	wordFills             // stands beside a pick and says nothing by itself
	wordOption            // names what is picked
	wordAgrees
)

// replyWord sorts the words of short answers in English, German, Spanish and French.
func replyWord(w string) replyKind {
	switch w {
	case "option", "number", "approach", "choice", "variant", "plan", "solution", "variante", "möglichkeit", "lösung", "ansatz", "nummer", "vorschlag",
		"opción", "opcion", "número", "propuesta", "solución", "l'option", "numéro", "proposition":
		return wordOption
	case "yes", "yeah", "yep", "ok", "okay", "sure", "agreed", "lgtm", "perfect", "great", "fine", "proceed",
		"ja", "gerne", "gern", "einverstanden", "passt", "genau", "jawohl",
		"sí", "si", "vale", "dale", "adelante", "acuerdo", "perfecto", "claro",
		"oui", "d'accord", "parfait", "entendu":
		return wordAgrees
	case "go", "with", "for", "the", "choose", "take", "pick", "i'd", "i", "let's", "lets", "do", "one", "is", "better", "best", "sounds", "good", "please", "like",
		"prefer", "we", "use", "i'll", "we'll", "that", "it", "ahead", "so", "me", "to",
		"nimm", "nehmen", "nehme", "mach", "machen", "mache", "wir", "ich", "bitte", "die", "der", "das", "den", "mit", "für", "lieber", "dann", "besser", "gut", "mir", "gefällt",
		"haz", "hazlo", "hagamos", "usa", "usemos", "toma", "elige", "elijo", "prefiero", "vamos", "con", "la", "el", "de", "por", "favor", "gusta", "es", "mejor",
		"prends", "prenons", "prenez", "va", "vas", "avec", "le", "je", "choisis", "préfère", "plaît", "s'il", "te", "allez", "y":
		return wordFills
	}
	return wordUnknown
}

// option is something that the agent offered for the user to choose.
type option struct {
	letter bool // it is named by a letter
	n      int  // from 1
	label  string
	text   string // what the agent said of it
}

// optionText is how much of what the agent said of an option is kept, in words.
const optionText = 40

// choiceOf resolves "3, but …", "yes, do B" and "the second" against the options of
// the agent's message, and gives what the user added.
func choiceOf(body, before string) (chosen option, rest string) {
	if before == "" {
		return option{}, ""
	}
	r, ok := replyTo(body)
	if !ok || r.pick == 0 {
		return option{}, ""
	}
	o := optionPicked(optionsIn(before), r)
	if o.label == "" {
		return option{}, ""
	}
	return o, r.rest
}

// optionPicked is the option that a reply names: of the options that have names of
// their own if it is a letter, else of the last numbered list, and of the others
// where there is none.
func optionPicked(all []option, r reply) option {
	for _, letter := range []bool{r.letter, !r.letter} {
		for _, o := range slices.Backward(all) {
			if o.letter == letter && o.n == r.pick {
				return o
			}
		}
	}
	return option{}
}

// optionsIn returns the options that a message offers: the items of its last numbered
// list, and the parts that "Option B" or "B)" heads or leads.
func optionsIn(md string) []option {
	blocks := prose.Blocks(md)
	var named, list []option
	for i, b := range blocks {
		if o, ok := optionOf(b); ok {
			o.text = optionBody(o.text, blocks[i+1:])
			named = append(named, o)
			continue
		}
		if b.Kind == prose.Item && b.Ordered && b.Indent < 4 {
			if i == 0 || blocks[i-1].Kind != prose.Item {
				list = nil
			}
			list = append(list, option{n: len(list) + 1, label: prose.Clip(strings.TrimRight(b.Text, "?"), 200)})
		}
	}
	return append(named, list...)
}

// optionOf reads a block that is headed or led by the name of an option.
func optionOf(b prose.Block) (option, bool) {
	line := b.Text
	if b.Lead != "" {
		line = b.Lead
	}
	words := prose.Words(prose.Clip(line, 60))
	if len(words) < 2 {
		return option{}, false
	}
	var o option
	first := words[0]
	if replyWord(words[0]) == wordOption {
		o.n, o.letter = optionKey(words[1])
		first = words[1]
		if b.Kind == prose.Paragraph && b.Lead == "" {
			return option{}, false // a sentence about an option
		}
	} else if o.n, o.letter = optionKey(words[0]); !o.letter {
		return option{}, false
	}
	i := strings.Index(strings.ToLower(line), first)
	if o.n == 0 || i < 0 || len(first) > 1 {
		return option{}, false
	}
	behind := strings.TrimLeft(line[i+len(first):], " *")
	label := strings.TrimLeft(behind, ":)].-–— ")
	if label == behind && first == words[0] {
		return option{}, false // a word of one letter
	}
	o.label = prose.Clip(label, 200)
	if b.Lead != "" && o.label == "" {
		o.label = prose.Clip(b.Rest, 200)
	} else if b.Lead != "" {
		o.text = b.Rest
	}
	o.label = strings.TrimRight(o.label, ".")
	if at := strings.Index(o.label, "(Recommended)"); at > 0 {
		o.label = strings.TrimSpace(o.label[:at])
	}
	return o, o.label != ""
}

// optionBody returns the text under the name of an option, up to the next heading or
// option.
func optionBody(text string, after []prose.Block) string {
	for i, b := range after {
		if _, ok := optionOf(b); ok || b.Kind == prose.Heading || len(strings.Fields(text)) >= optionText {
			break
		}
		if b.Kind == prose.Paragraph && i > 0 && (b.Lead != "" || len(after) == i+1) || passage.Asks(b.Text) {
			break // it is about all of them
		}
		text += " " + b.Text
	}
	return strings.TrimRight(prose.ClipWords(strings.TrimSpace(text), optionText), ":")
}

// othersThan names the options beside the one that was chosen.
func othersThan(chosen option, before string) string {
	var out []string
	for _, o := range optionsIn(before) {
		if o.letter == chosen.letter && o.label != chosen.label {
			out = append(out, strings.TrimSuffix(prose.Sentence(o.label), "."))
		}
	}
	return strings.Join(out, "; ")
}

// questionIn is the last question of a message.
func questionIn(md string) string {
	blocks := prose.Blocks(md)
	for _, b := range slices.Backward(blocks) {
		for _, s := range slices.Backward(prose.Sentences(b.Text)) {
			if strings.HasSuffix(s, "?") {
				return s
			}
		}
	}
	return ""
}

// aboutWork holds for a choice between jobs, and between ways to go on with the
// session: it says nothing of the project.
func aboutWork(label, before string) bool {
	has := func(s string, list ...string) bool {
		t := " " + strings.Join(prose.Words(s), " ") + " "
		return slices.ContainsFunc(list, func(p string) bool { return strings.Contains(t, " "+p+" ") })
	}
	last := before[max(0, len(before)-300):]
	return has(last, "reply with a number", "to view details", "which one next", "work on next", "would you like to do", "what next", "want to tackle", "möchtest du als nächstes") ||
		has(label, "push", "pull request", "merge back", "this session", "new session", "separate session", "subagent", "discard this", "commit", "as is")
}
