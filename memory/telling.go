package memory

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Telling says what of a title must not become the name of a file, which git keeps in
// every tree, where nobody looks for it: "name" of a person, "address", "secret", "number" of
// an account; "" for nothing. It judges by looks alone: a person is two or three words in
// capitals of which the first is a usual given name, or before which somebody is asked.
func Telling(title string) string {
	switch {
	case strings.Contains(title, "[redacted"):
		return "secret"
	case accounts().MatchString(title):
		return "number"
	case addresses().MatchString(title):
		return "address"
	}
	words := strings.Fields(title)
	for i, word := range words {
		if isToken(strings.Trim(word, "\"'`.,;:!?()[]{}<>*")) {
			return "secret"
		}
		if i+1 < len(words) && isPerson(words, i) {
			return "name"
		}
	}
	return ""
}

// accounts matches an IBAN, a card, and nine digits or more, in a row or with hyphens.
var accounts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}|\b\d{4}(?: \d{4}){2,4}\b|\b\d(?:-?\d){8,}\b`)
})

var addresses = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}\b`)
})

// The least of a token: how long it is, and how often letters and digits change.
const (
	tokenLength  = 20
	tokenChanges = 4
)

// isToken reports whether a word looks drawn at random: long, of letters of both sizes and
// digits in turn.
func isToken(word string) bool {
	for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return strings.ContainsRune("/=:.,_", r) }) {
		var small, large, digits, changes int
		last := ' '
		for _, r := range part {
			kind := 'a'
			switch {
			case r >= '0' && r <= '9':
				kind = '0'
				digits++
			case unicode.IsUpper(r):
				large++
			default:
				small++
			}
			if last != ' ' && kind != last {
				changes++
			}
			last = kind
		}
		if len(part) >= tokenLength && small > 0 && large > 0 && digits > 0 && changes >= tokenChanges {
			return true
		}
	}
	return false
}

// isPerson reports whether a name of two words or more begins with a word.
func isPerson(words []string, i int) bool {
	first, last := words[i], strings.TrimSuffix(strings.TrimSuffix(strings.TrimRight(words[i+1], "\"'`.,;:!?)]}*"), "'s"), "’s")
	first = strings.TrimLeft(first, "\"'`([{*")
	if !isName(first) || !isName(last) {
		return false
	}
	if strings.Contains(givenNames, " "+strings.ToLower(first)+" ") {
		return true
	}
	return i > 0 && strings.Contains(askedWords, " "+strings.ToLower(strings.TrimRight(words[i-1], "."))+" ")
}

// isName reports whether a word is written as a name: one capital, then small letters, or two
// such parts with a hyphen or an apostrophe.
func isName(word string) bool {
	n := 0
	for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return r == '-' || r == '\'' || r == '’' }) {
		first, size := utf8.DecodeRuneInString(part)
		if !unicode.IsUpper(first) || strings.ContainsFunc(part[size:], func(r rune) bool { return !unicode.IsLower(r) }) {
			return false
		}
		n += utf8.RuneCountInString(part)
	}
	return n > 1
}

// askedWords stand before somebody who is asked, or is a title.
const askedWords = " ask asks asked contact call calls email mail ping pings tell tells phone mr mrs ms dr prof herr frau herrn monsieur madame señor señora signor signora "

// givenNames are usual ones in several languages that are no words of programming.
const givenNames = " aaron abdul abigail adam adrian agnes ahmed aisha akira alan albert alejandro alessandro alex alexander alexandra ali alice alicia" +
	" amanda amelia amina amir amy ana andre andrea andreas andrew andrzej angela anita anja anna anne annette antoine anton antonio arjun arthur astrid" +
	" barbara beatrice ben benjamin bernd bernhard beth bianca birgit bjorn bob boris brenda brian brigitte camille carla carlos carmen carol caroline" +
	" catherine cecile charles charlotte chen chiara chloe chris christian christina christine christoph christopher claire clara claudia clemens" +
	" daniel daniela david deborah denis diana diego dieter dirk dmitri dmitry dominik donald dorothea edith eduardo edward elena eleni elisabeth elizabeth" +
	" ellen emil emily emma enrique eric erica erik erika ernst esther eva evelyn fatima felix fernando florian francesca francesco francis franck frank franz" +
	" fred friedrich fritz gabriel gabriele george georg gerald gerd gerhard giovanni giulia giuseppe gregor greta guido gustav hannah hans harald harry" +
	" hassan heike heinrich heinz helen helena helga henri henrik henry herbert hiroshi holger hugo ibrahim igor ines ingrid irene isabel isabella ivan" +
	" jack jacob jakob james jan jana jane javier jean jennifer jens jessica jim joanna joe johann johanna johannes john jonas jonathan jorge jose josef" +
	" joseph juan judith julia julian julie jürgen jutta kai karen karin karl karsten katarina katharina kathrin katja keiko kenji kevin klaus kristina" +
	" larry lars laura lauren laurent lea lena leon leonie linda lisa liu lorenzo louis louise luca lucas lucia luis lukas magdalena manfred manuel marc marcel" +
	" marco margaret maria marie marina mario marion markus marta martin martina mary mateo matthew matthias maximilian mehmet melanie mia michael" +
	" michel michele miguel mohamed mohammed monica monika muhammad nadia nancy natalia natalie nicholas nicolas nicole nikolai nils nina noah noor olaf" +
	" oleg olga oliver olivia omar otto pablo paolo patricia patrick paul paula pedro peter petra philip philipp philippe pierre piotr priya rachel rafael" +
	" rainer ralf raj ralph raphael raymond rebecca reinhard renate ricardo richard rita robert roberto roger roland ronald rosa rudolf ryan sabine" +
	" samantha samuel sandra sara sarah sebastian sergei sergey silke silvia simon simone sofia sonja sophia sophie stefan stefanie stephan stephen steve" +
	" steven susan susanne sven svetlana sylvia takashi tanja tatiana teresa theo theodor theresa thomas tim timothy tobias tom tomasz torsten udo ulrich" +
	" ulrike ursula ute valentina vanessa vera veronica victoria vincent viola vladimir walter wang werner wilhelm william wolfgang yasmin yuki yusuf yves zoe "
