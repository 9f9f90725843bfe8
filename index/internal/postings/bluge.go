package postings

import (
	"math"

	segment "github.com/blugelabs/bluge_segment_api"
)

// unusedNorm is the length norm that Bluge stores with every posting. Lengths
// are in the tables beside the segments, exact and cheaper to read; this is the
// value that takes the fewest bytes and is not zero, which Bluge reads as "no
// posting".
func unusedNorm() float32 { return math.Float32frombits(1) }

// blugeDocument shows a document to Bluge. It is analysed already.
type blugeDocument struct{ fields []blugeField }

func newBlugeDocument(d *Document) *blugeDocument {
	b := &blugeDocument{fields: make([]blugeField, 0, Fields+1)}
	id := []termFreq{{d.blob, 1}}
	b.fields = append(b.fields, blugeField{name: idField, terms: id, length: 1, stored: encodeName(d)})
	for f := range d.terms {
		if len(d.terms[f]) > 0 {
			b.fields = append(b.fields, blugeField{name: Field(f).name(), terms: d.terms[f], length: int(d.length[f])})
		}
	}
	return b
}

// idField is the name Bluge gives to the field that updates go by.
const idField = "_id"

// Analyze does nothing.
func (b *blugeDocument) Analyze() {}

// EachField visits id and fields.
func (b *blugeDocument) EachField(visit segment.VisitField) {
	for i := range b.fields {
		visit(&b.fields[i])
	}
}

type blugeField struct {
	name   string
	terms  []termFreq
	length int
	stored []byte
}

func (f *blugeField) Name() string         { return f.name }
func (f *blugeField) Length() int          { return f.length }
func (f *blugeField) Value() []byte        { return f.stored }
func (f *blugeField) Index() bool          { return true }
func (f *blugeField) Store() bool          { return f.stored != nil }
func (f *blugeField) IndexDocValues() bool { return false }

func (f *blugeField) EachTerm(visit segment.VisitTerm) {
	var t blugeTerm
	for i := range f.terms {
		t = blugeTerm{[]byte(f.terms[i].term), int(f.terms[i].freq)}
		visit(&t)
	}
}

type blugeTerm struct {
	term []byte
	freq int
}

func (t *blugeTerm) Term() []byte                       { return t.term }
func (t *blugeTerm) Frequency() int                     { return t.freq }
func (t *blugeTerm) EachLocation(segment.VisitLocation) {}

// blugeID is the term that an update replaces.
type blugeID string

func (b blugeID) Field() string { return idField }
func (b blugeID) Term() []byte  { return []byte(b) }
