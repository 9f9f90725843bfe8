package capture

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/internal/lists"
)

// clauseMarks end a part of a reply.
const clauseMarks = ",.;!:，。；！：、"

// replyTo reads "yes, do B", "the second one please" and "ok": the option that an answer names,
// 0 for none, and what it adds. An answer that says anything else before it has picked picks
// none.
func replyTo(body string) (pick option, rest string) {
	for pick.n == 0 {
		part, more := body, ""
		if i := strings.IndexAny(body, clauseMarks); i >= 0 {
			part, more = body[:i], strings.TrimLeft(body[i:], clauseMarks)
		}
		o, ok := picked(part)
		if !ok {
			return option{}, ""
		}
		pick, body = o, strings.TrimSpace(more)
	}
	if optionKey(strings.Trim(prose.FirstWord(body), ".,:")).n > 0 { // it answers several questions
		return option{}, ""
	}
	return pick, body
}

// picked reads the option that a part of a reply names. It is not ok where the part
// says anything else; a mere "yes" is ok and names none.
func picked(part string) (o option, ok bool) {
	words := prose.Words(part)
	for i := 0; i < len(words); {
		key, beside := optionKey(words[i]), besidePick(words[i:])
		switch {
		case isArticle(part, words, i), o.n > 0 && key.n > 0:
			return option{}, false
		case key.n > 0:
			o, beside = key, 1
		case beside == 0:
			return option{}, false
		}
		i += beside
	}
	return o, o.n > 0 || in("agrees", words)
}

// besidePick is how many of the words that some begin with may stand beside the number of an
// option.
func besidePick(words []string) int {
	most := 0
	for _, class := range []string{"agrees", "option noun", "beside a pick"} {
		most = max(most, lexicon().Begins(class, words))
	}
	return most
}

// isArticle reports whether a word is the article "a" and no option of that letter.
func isArticle(part string, words []string, i int) bool {
	named := strings.Contains(part, "A") || i > 0 && is("option noun", words[i-1])
	return words[i] == "a" && !named
}

// optionKeys are the letters and digits that name an option, in their order.
const (
	optionLetters = "abcde"
	optionDigits  = "123456789"
)

// optionKey reads the number, letter or ordinal that names an option.
func optionKey(w string) option {
	ordinal := slices.IndexFunc([]string{"option 1", "option 2", "option 3"},
		func(class string) bool { return is(class, w) })
	if ordinal >= 0 {
		return option{n: ordinal + 1}
	}
	if len(w) != 1 {
		return option{}
	}
	if n := strings.Index(optionDigits, w); n >= 0 {
		return option{n: n + 1}
	}
	n := strings.Index(optionLetters, w) + 1
	return option{n: n, letter: n > 0}
}

// option is something that the agent offered for the user to choose.
type option struct {
	letter bool // it is named by a letter
	n      int  // from 1
	label  string
	text   string // what the agent said of it
}

// Sizes of an option.
const (
	optionText  = 40  // of what the agent said of it, in words
	optionLabel = 200 // in bytes
)

// choiceOf resolves "3, but …", "yes, do B" and "the second" against the options of
// the agent's message, and gives what the user added.
func choiceOf(body, before string) (chosen option, rest string) {
	pick, rest := replyTo(body)
	return optionPicked(optionsIn(before), pick), rest
}

// optionPicked is the option that a reply names: of the options that have names of
// their own if it is a letter, else of the last numbered list, and of the others
// where there is none.
func optionPicked(all []option, pick option) option {
	var other option
	for _, o := range slices.Backward(all) {
		switch {
		case o.n != pick.n:
		case o.letter == pick.letter:
			return o
		case other.n == 0:
			other = o
		}
	}
	return other
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
		if b.Kind != prose.Item || !b.Ordered || b.Indent >= 4 { // it is in no numbered list, or nested in another
			continue
		}
		if i == 0 || blocks[i-1].Kind != prose.Item {
			list = nil
		}
		label := prose.Clip(strings.TrimRight(b.Text, "?"), optionLabel)
		list = append(list, option{n: len(list) + 1, label: label})
	}
	return append(named, list...)
}

// optionOf reads a block that is headed or led by the name of an option: "Option B: …", "B) …".
func optionOf(b prose.Block) (option, bool) {
	o, label := openingName(b)
	if o.n == 0 {
		return option{}, false
	}
	if b.Lead != "" {
		o.text = b.Rest
	}
	if label == "" {
		label, o.text = b.Rest, ""
	}
	label, _, _ = strings.Cut(label, "(Recommended)")
	o.label = prose.Clip(strings.TrimRight(label, ". "), optionLabel)
	return o, o.label != ""
}

// openingName reads the name with which a block opens, and gives what is behind it.
func openingName(b prose.Block) (o option, label string) {
	name, behind, _ := strings.Cut(cmp.Or(b.Lead, b.Text), " ")
	headed := b.Lead != "" || b.Kind != prose.Paragraph
	noun := headed && is("option noun", strings.ToLower(name))
	if noun {
		name, behind, _ = strings.Cut(behind, " ")
	}
	marked := strings.Trim(name, ":)].") != name // else it is a word of one letter
	o = optionKey(strings.ToLower(strings.Trim(name, ":)].*")))
	alone := marked && o.letter
	if !noun && !alone {
		return option{}, ""
	}
	return o, strings.TrimLeft(behind, ":)].-–—* ")
}

// optionBody returns the text under the name of an option, up to the next heading or
// option, or to what is about all of them.
func optionBody(text string, after []prose.Block) string {
	for i, b := range after {
		if len(strings.Fields(text)) >= optionText || endsOption(after, i) {
			break
		}
		text += " " + b.Text
	}
	return strings.TrimRight(prose.ClipWords(strings.TrimSpace(text), optionText), ":")
}

// endsOption reports whether a block is no part of the option above it: another one, a heading, a
// question, or a paragraph that is led by words of its own or ends the message.
func endsOption(blocks []prose.Block, i int) bool {
	b := blocks[i]
	_, next := optionOf(b)
	return next || b.Kind == prose.Heading || passage.Asks(b.Text) || isAboutAll(blocks, i)
}

// isAboutAll reports whether a block below an option is about all of them: a paragraph that is led by
// words of its own or ends the message.
func isAboutAll(blocks []prose.Block, i int) bool {
	if i == 0 || blocks[i].Kind != prose.Paragraph {
		return false
	}
	return blocks[i].Lead != "" || i == len(blocks)-1
}

// othersThan names the options beside the one that was chosen.
func othersThan(chosen option, before string) string {
	others := lists.Where(optionsIn(before), func(o option) bool { return o.label != chosen.label })
	return strings.Join(lists.Map(others,
		func(o option) string { return strings.TrimSuffix(prose.Sentence(o.label), ".") }), "; ")
}

// questionIn is the last question of a message.
func questionIn(md string) string {
	for _, b := range slices.Backward(prose.Blocks(md)) {
		sentences := prose.Sentences(b.Text)
		slices.Reverse(sentences)
		if i := slices.IndexFunc(sentences, asksOnly); i >= 0 {
			return sentences[i]
		}
	}
	return ""
}
