package index

import (
	"context"

	"github.com/git-cortex/cortex/index/internal/postings"
	"github.com/git-cortex/cortex/index/internal/scoring"
	"github.com/git-cortex/cortex/memory"
)

// Field is one of the fields of a memory that words are looked up in.
type Field = postings.Field

// The fields, and how many there are.
const (
	StemField  = postings.Stem  // stems of everything
	ExactField = postings.Exact // the same words as written, and compounds
	TitleField = postings.Title // stems of the title
	Fields     = postings.Fields
)

// Term is a word in a field.
type Term = postings.Term

// Posting says how often a memory, named by its place in a [Source], holds a term.
type Posting = postings.Hit

// Document is a memory as the ranking counts it: its terms, and the lengths of its fields.
type Document = postings.Document

// A Source holds the memories that a search ranks, each id once, and knows where words stand in
// them. A memory is named by its place, 0 to Len-1, which is the same while the source is used.
// What is not in the source counts in no figure of an answer, so an answer depends on the memories
// of the source alone, and two sources of the same memories give the same answer, bit for bit.
//
// Len, ID, Item, Prior, Facts and TextSize are asked of every memory that holds a word of the query,
// from several goroutines: they answer from what the source has in memory. All other methods are
// asked for much at once, a few times for a search, and may wait for a disk or a database. An error
// of theirs ends the search.
type Source interface {
	// Len is the number of memories.
	Len() int
	// ID is the id of a memory. Of equal score the smaller id comes first.
	ID(place int32) memory.ID
	// Item is a memory as hits show it and as filters on status, stage and branch see it.
	Item(place int32) *Item
	// Prior is Prior of the item.
	Prior(place int32) float64
	// Facts returns type, times and flags of a memory, which filters see and ties are broken by. Links
	// are not used. It is false where they cannot be had; such a memory meets no filter.
	Facts(place int32) (Facts, bool)
	// TextSize is the length of the text in bytes.
	TextSize(place int32) int

	// Lengths are the lengths of the fields of every memory. They are asked for before any
	// postings or spellings, and not at all by a query without words. A source that lives on keeps them.
	Lengths(ctx context.Context) (*Lengths, error)
	// Postings looks terms up, each in its field: for every one the memories that hold it, once
	// each and in any order, as often as [Document] counts it. The result is not changed.
	Postings(ctx context.Context, terms []Term) ([][]Posting, error)
	// Spelled are the terms of [ExactField] that are at most so many edits from word, and Begun
	// those that begin with it, in any order. Each term is looked up before anything is told of
	// it, so they may be of memories that are not in the source too.
	Spelled(ctx context.Context, word string, edits int) ([]string, error)
	Begun(ctx context.Context, word string) ([]string, error)

	// Texts are titles and texts of memories, in the order of places; Missing where one cannot
	// be had. A search asks once, for its 128 best.
	Texts(ctx context.Context, places []int32) ([]Text, error)
	// Memories are whole memories, in the order of places; without texts and unknown keys where
	// text is false, which is enough for filters on tags, files, entities, branch and session. It
	// is nil where one cannot be had. A search asks for its hits; one with such a filter, with a
	// phrase or an excluded phrase also for all that its words match, some hundreds at once.
	Memories(ctx context.Context, places []int32, text bool) ([]*memory.Memory, error)
}

// Text holds the title and the text of a memory, in which pairs of neighbouring words are counted.
type Text struct {
	Title, Text string
	Missing     bool
}

// Lengths are the lengths of the fields of the memories of a source, and their averages.
type Lengths = scoring.Lengths

// MeasureLengths takes the lengths of the fields of every memory of a source, by place. They are
// not changed any more.
func MeasureLengths(words [][Fields]uint32) *Lengths { return scoring.MeasureLengths(words) }
