package agents

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"
	"sync"
)

// escape matches how regular expressions write boundaries and classes of characters.
var escape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\[bBdDsSwW]`) })

// sought are the words of a search: those of its pattern, and the name of the folder
// or file that is searched.
func sought(pattern, place string) string {
	if strings.Contains(pattern, `\`) {
		pattern = escape().ReplaceAllString(pattern, " ")
	}
	if place == "" || place == "." {
		return pattern
	}
	return pattern + " " + path.Base(strings.ReplaceAll(place, `\`, "/"))
}

// questions are the texts of the questions that an agent is about to ask the user,
// with their options.
type questions string

// UnmarshalJSON takes what has the form of questions; other texts are none.
func (q *questions) UnmarshalJSON(data []byte) error {
	var all []struct {
		Question string `json:"question"`
		Options  []struct {
			Label       string `json:"label"`
			Description string `json:"description"`
		} `json:"options"`
	}
	if json.Unmarshal(data, &all) != nil {
		return nil
	}
	var lines []string
	for _, x := range all {
		lines = append(lines, x.Question)
		for _, o := range x.Options {
			lines = append(lines, o.Label, o.Description)
		}
	}
	*q = questions(strings.TrimSpace(strings.Join(lines, "\n")))
	return nil
}
