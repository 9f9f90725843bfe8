// Command weigh learns the table of weights by which capture judges what it
// finds, and says how well a table does on sessions that it was not learned from.
//
//	go run -C tools ./weigh [-out ../capture/weights/table.tsv] [-keep 0.27] [-lands 0.30] [-fitted] [-curve] TRANSCRIPTS LABELS
//	go run -C tools ./weigh -shipped TRANSCRIPTS LABELS
//
// TRANSCRIPTS is a folder of transcripts named GROUP__NAME.jsonl, one group for
// each repository; LABELS holds a file GROUP__NAME.labels.jsonl for each one that
// was labelled: one JSON object a line, {"type","record","span","memory",
// "importance","lands"}, or {"negative":true,"record","span"} for what looks like a
// memory and is none. "record" is the line of the transcript, from 0.
//
// Every group is judged by a table that was learned from the others alone, and
// the figures are printed for each and for all. With -shipped all are judged by the
// table of the program, and nothing is learned. With -out a table learned from
// all groups is written. With -cues FILE the table of cues is written anew: what each row is
// worth on repositories that the weights were not learned from, without the rows that are
// worth nothing. Build and run again to learn weights for what is left. A table holds names of signs, none of the transcripts'
// text.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "weigh:", err)
		os.Exit(1)
	}
}

type settings struct {
	out, cues    string
	keep, lands  float64
	fitted, show bool
	shipped      bool
}

func run(args []string, out io.Writer) error {
	var set settings
	flags := flag.NewFlagSet("weigh", flag.ContinueOnError)
	flags.StringVar(&set.out, "out", "", "write a table learned from all groups to this file")
	flags.StringVar(&set.cues, "cues", "", "write what each row is worth to this table of cues, and drop rows worth nothing")
	flags.Float64Var(&set.keep, "keep", 0.27, "keep from this probability on")
	flags.Float64Var(&set.lands, "lands", 0.30, "land from this probability on")
	flags.BoolVar(&set.fitted, "fitted", false, "also print the figures of the table learned from all groups")
	flags.BoolVar(&set.shipped, "shipped", false, "print the figures of the table of the program alone")
	flags.BoolVar(&set.show, "curve", false, "print the figures for several thresholds")
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("reading arguments: %w", err)
	}
	if flags.NArg() != 2 {
		return fmt.Errorf("reading arguments: %d paths, expected a folder of transcripts and one of labels", flags.NArg())
	}
	sessions, err := load(flags.Arg(0), flags.Arg(1))
	if err != nil {
		return err
	}
	if set.shipped {
		return shipped(sessions, out)
	}
	return study(sessions, set, out)
}
