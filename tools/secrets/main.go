// Command secrets measures what the redactor catches, and says which token
// formats of other projects it does not know yet.
//
//	go run -C tools ./secrets samples [-half odd|even] [-families] [-missed] [-raw] PATH...
//	go run -C tools ./secrets rules [-half odd|even] [-n 20] [-show] CHECKOUT...
//
// samples reads files of samples, or folders of them, and prints a Markdown
// table: how many secrets were caught, and how many texts without one were
// changed. A file has one JSON object a line, gzipped if its name ends in ".gz":
// "b64" is the text in base64, "kind" is "tp" where it holds a secret and "fp"
// where it does not, "rule" names its family; "secret", in base64 and optional,
// is the secret itself, which may not be left whole. A text that is a secret by
// one family is not counted as clean by another, but with -raw, which also says how many
// texts were changed that one family wants changed and another does not. Nothing that is decoded touches a
// disk; only -missed prints it.
//
// rules reads the rules of gitleaks or betterleaks (config/*.toml) in a
// checkout, makes up tokens of each, and prints the rules whose tokens the
// redactor lets through, each in the form of capture/redact/formats.tsv: kind,
// keywords, expression. They are leads: whoever adds a format to the table reads
// up on the token and writes its shape down there.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "secrets:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) > 0 {
		switch args[0] {
		case "samples":
			return measure(args[1:], out)
		case "rules":
			return compare(args[1:], out)
		}
	}
	return errors.New(`reading arguments: "samples" or "rules" is expected`)
}
