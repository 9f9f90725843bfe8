package postings

import (
	"reflect"
	"testing"

	bluge "github.com/blugelabs/bluge/index"
	"github.com/google/go-cmp/cmp"
)

// TestConfig holds blugeConfig against Bluge's own default: every value is the same but the number
// of workers, and both have the functions that the other has but the two that are ours.
func TestConfig(t *testing.T) {
	field, ok := reflect.TypeFor[bluge.Config]().FieldByName("supportedSegmentPlugins")
	if !ok || field.Type != reflect.TypeFor[formats]() {
		t.Fatalf("Bluge keeps its formats in another field: %+v", field)
	}
	ours, theirs := blugeConfig(nil), bluge.DefaultConfigWithDirectory(nil)
	if diff := cmp.Diff(plain(theirs), plain(ours)); diff != "" {
		t.Errorf("(-default +ours):\n%s", diff)
	}
	if first := (*supported(&theirs))[ours.SegmentType][ours.SegmentVersion]; first == nil {
		t.Errorf("Bluge's default has no format %s %d", ours.SegmentType, ours.SegmentVersion)
	}
	if all := *supported(&ours); len(all) != 1 || len(all[ours.SegmentType]) != 1 {
		t.Errorf("formats %v, want one", all)
	}
}

// plain returns the values of a configuration by the names of its fields; of a function, whether it is set.
func plain(c bluge.Config) map[string]any {
	said := map[string]any{}
	for field, value := range reflect.ValueOf(c).Fields() {
		switch value.Kind() {
		case reflect.Map: // not exported: the formats, and fields of documents
		case reflect.Func, reflect.Chan:
			said[field.Name] = !value.IsNil()
		default:
			said[field.Name] = value.Interface()
		}
	}
	for _, own := range []string{"DirectoryFunc", "NormCalc", "AsyncError", "NumAnalysisWorkers"} {
		delete(said, own)
	}
	return said
}
