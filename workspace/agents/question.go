package agents

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
)

// escape matches how regular expressions write boundaries and classes of characters.
var escape = lazy.Pattern(`\\[bBdDsSwW]`)

// sought are the words of a search: those of its pattern, and the name of the folder
// or file that is searched.
func sought(pattern, place string) string {
	if strings.Contains(pattern, `\`) {
		pattern = escape().ReplaceAllString(pattern, " ")
	}
	if slices.Contains([]string{"", "."}, place) {
		return pattern
	}
	return pattern + " " + path.Base(strings.ReplaceAll(place, `\`, "/"))
}

// questionsOf are the texts of the questions that an agent is about to ask the user, with
// their options. What has not the form of questions is none.
func questionsOf(data json.RawMessage) string {
	var all []struct {
		Question string `json:"question"`
		Options  []struct {
			Label       string `json:"label"`
			Description string `json:"description"`
		} `json:"options"`
	}
	_ = json.Unmarshal(data, &all)
	var lines []string
	for _, x := range all {
		lines = append(lines, x.Question)
		for _, o := range x.Options {
			lines = append(lines, o.Label, o.Description)
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
