package consolidate

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestSchemaBounds: the schema that a reader is given has the bounds by which its answer is checked.
func TestSchemaBounds(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	const group = "groups items properties "
	for path, want := range map[string]int{
		"groups maxItems":         maxGroups,
		group + "from maxItems":   maxMembers,
		group + "title maxLength": maxTitle,
		group + "text maxLength":  maxText,
	} {
		at := any(schema["properties"])
		for key := range strings.FieldsSeq(path) {
			at = at.(map[string]any)[key]
		}
		if at != float64(want) {
			t.Errorf("%s: %v, the code has %d", path, at, want)
		}
	}
}
