package codes

import (
	"bytes"
	"go/scanner"
	"go/token"
	"regexp"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
)

// declaration is one of a Go file.
type declaration struct {
	text        string // without its comment
	first, last int    // of its lines, with those of its comment
}

// goHead matches the beginning of a declaration: that of a group of types, or the keyword, the type that a
// method is of, and the name.
var goHead = lazy.Value(func() *regexp.Regexp {
	const name = `([\pL_][\pL\p{Nd}_]*)`
	return regexp.MustCompile(`^type\s*\(|^(func|type)(?:\s*\((?:\s*` + name + `\s)?[\s*(]*` + name +
		`[^)]*\)[\s)]*|\s+)` + name)
})

// generatedGo matches the comment that Go asks of a generated file, or else what it must come before.
var generatedGo = lazy.Pattern(`(?m)^(?:// Code generated .* DO NOT EDIT\.\r?$|package\s)`)

// parseGo finds the functions, methods and types of a Go file, each with its comment. Only the tokens
// are read, so that the file need not compile.
func (f *file) parseGo(data []byte) {
	f.generated = bytes.HasPrefix(generatedGo().Find(data), []byte("//"))
	for _, d := range declarations(string(data), 1) {
		f.addGo(d)
	}
}

func (f *file) addGo(d declaration) {
	head := goHead().FindStringSubmatch(d.text)
	switch {
	case head == nil:
	case head[1] == "": // a group of types
		from := d.last - strings.Count(d.text, "\n")
		for _, one := range declarations(d.text[len(head[0]):], from) {
			one.text = "type " + one.text
			f.addGo(one)
		}
	case head[3] != "":
		f.symbols = append(f.symbols, Symbol{head[3] + "." + head[4], "method", d.first, d.last})
	default:
		kind := map[string]string{"func": "function", "type": "type"}[head[1]]
		f.symbols = append(f.symbols, Symbol{head[4], kind, d.first, d.last})
	}
}

// declarations cuts Go source, which begins at a line of its file, behind what stands outside of all brackets. What a
// //line comment says is passed over.
func declarations(src string, line int) []declaration {
	at := token.NewFileSet().AddFile("", -1, len(src))
	var tokens scanner.Scanner
	tokens.Init(at, []byte(src), nil, scanner.ScanComments)
	var out []declaration
	comment := declaration{last: -1} // the lines of the last one that stands alone
	now, start, depth := declaration{}, -1, 0
	for pos, tok, text := tokens.Scan(); tok != token.EOF; pos, tok, text = tokens.Scan() {
		here := line - 1 + at.PositionFor(pos, false).Line
		switch {
		case tok == token.SEMICOLON && depth <= 0: // below 0 behind the last bracket of a group
			if start >= 0 {
				now.text, now.last = src[start:at.Offset(pos)], here
				out = append(out, now)
			}
			start = -1
		case start >= 0 || tok == token.COMMENT && here == now.last:
		case tok == token.COMMENT:
			if here != comment.last+1 {
				comment.first = here
			}
			comment.last = here + strings.Count(text, "\n")
		default:
			start, now.first = at.Offset(pos), here
			if comment.last == here-1 {
				now.first = comment.first
			}
		}
		depth += nesting(tok)
	}
	return out
}

// nesting is how much deeper the next token lies in brackets.
func nesting(tok token.Token) int {
	switch tok {
	case token.LPAREN, token.LBRACK, token.LBRACE:
		return 1
	case token.RPAREN, token.RBRACK, token.RBRACE:
		return -1
	}
	return 0
}
