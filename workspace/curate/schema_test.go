package curate

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
	const worded = "memories items properties "
	for path, want := range map[string]int{
		"memories maxItems":                                 maxMemories,
		"dropped maxItems":                                  maxCandidates,
		"dropped items properties reason maxLength":         maxReason,
		"pairs maxItems":                                    maxPairs,
		"pairs items properties reason maxLength":           maxReason,
		worded + "title maxLength":                          LongestTitle,
		worded + "text maxLength":                           MaxText,
		worded + "from maxItems":                            maxCandidates,
		worded + "evidence maxItems":                        maxEvidence,
		worded + "evidence items properties span minLength": minSpan,
		worded + "evidence items properties span maxLength": maxSpan,
		worded + "before maxItems":                          maxBefore,
		worded + "before items maxLength":                   maxMoment,
		worded + "when maxItems":                            maxWhen,
		worded + "when items maxLength":                     maxMoment,
		worded + "why maxLength":                            maxReason,
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
