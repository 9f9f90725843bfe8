package embedder

import (
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index/embed"
	"github.com/git-cortex/cortex/index/embed/static"
)

// Keys of the user's git configuration that turn vectors on and say how they are used.
// Some name paths, addresses and variables, so none is read from the repository's files.
const (
	ModelKey = "cortex.embed"      // static:FOLDER, or the URL of an OpenAI-compatible endpoint
	nameKey  = "cortex.embedmodel" // the model's name at that endpoint
	keyKey   = "cortex.embedkey"   // the environment variable that holds its key
	waitKey  = "cortex.embedwait"  // how long a search waits for it
	alphaKey = "cortex.embedalpha" // the weight of vectors
	leastKey = "cortex.embedleast" // the least similarity of what shares no word
)

// How long a search waits for an endpoint, unless the user says otherwise.
const (
	searchWait  = 200 * time.Millisecond
	longestWait = time.Minute
)

// Settings say which model makes vectors, and how they are used. What is zero has the
// default.
type Settings struct {
	Model string        // static:FOLDER with an absolute path, or an address; "" turns vectors off
	Name  string        // of the model at that address
	Key   string        // the environment variable that holds the key
	Wait  time.Duration // of a search for the endpoint
	Alpha float64       // 0 is as far as words and meaning agree
	Least float64       // similarity from which on what shares no word is found; 0 is what stands out
}

// Remote reports whether the model is asked over a network.
func (s Settings) Remote() bool { return strings.Contains(s.Model, "://") }

// Read reads the settings. One that cannot be used has its default, and wrong says so.
func Read(config *gitops.Config) (s Settings, wrong []string) {
	s = Settings{
		Model: config.Value(ModelKey), Name: config.Value(nameKey), Key: config.Value(keyKey), Wait: searchWait,
	}
	for _, number := range []struct {
		key, name string
		read      func(text string) bool
		want      string
	}{
		{
			waitKey, "cortex.embedWait", s.readWait,
			fmt.Sprintf("time between 1ms and %v, such as 400ms; searches wait %v", longestWait, searchWait),
		},
		{alphaKey, "cortex.embedAlpha", readShare(&s.Alpha), "number from 0 to 1"},
		{leastKey, "cortex.embedLeast", readShare(&s.Least), "number from 0 to 1"},
	} {
		if text := config.Value(number.key); text != "" && !number.read(text) {
			wrong = append(wrong, fmt.Sprintf("%s: %q is no %s", number.name, text, number.want))
		}
	}
	return s, wrong
}

func (s *Settings) readWait(text string) bool {
	wait, err := time.ParseDuration(text)
	if err != nil || wait <= 0 || wait > longestWait {
		return false
	}
	s.Wait = max(wait, time.Millisecond)
	return true
}

// readShare reads a number from 0 to 1.
func readShare(to *float64) func(text string) bool {
	return func(text string) bool {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(x) || x < 0 || x > 1 {
			return false
		}
		*to = x
		return true
	}
}

// Lines are the settings as git keeps them; an empty value removes its line.
func (s Settings) Lines() []gitops.Setting {
	number := func(x float64) string {
		if x == 0 {
			return ""
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	wait := ""
	if s.Wait != 0 && s.Wait != searchWait {
		wait = s.Wait.String()
	}
	return []gitops.Setting{
		{Key: ModelKey, Value: s.Model},
		{Key: nameKey, Value: s.Name},
		{Key: keyKey, Value: s.Key},
		{Key: waitKey, Value: wait},
		{Key: alphaKey, Value: number(s.Alpha)},
		{Key: leastKey, Value: number(s.Least)},
	}
}

// Open opens the model. It asks no endpoint yet. Health remembers how one answers; it
// may be nil.
func (s Settings) Open(environ []string, health embed.Health) (embed.Model, error) {
	if folder, ok := strings.CutPrefix(s.Model, "static:"); ok {
		if rest, ok := strings.CutPrefix(folder, "~/"); ok {
			folder = filepath.Join(variable(environ, "HOME"), rest)
		}
		if !filepath.IsAbs(folder) {
			return nil, fmt.Errorf("the folder %q is not an absolute path", folder)
		}
		m, err := static.Open(folder)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
	if u, err := url.Parse(s.Model); err != nil || !slices.Contains([]string{"http", "https"}, u.Scheme) {
		return nil, fmt.Errorf("%q is neither static:FOLDER nor an http address", s.Model)
	}
	m, err := embed.NewRemote(embed.RemoteOptions{
		URL: s.Model, Name: s.Name, KeyName: s.Key, Key: variable(environ, s.Key), Health: health,
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// variable is the value of an environment variable; "" for an unset one, or for no name.
func variable(environ []string, name string) string {
	value := ""
	for _, kv := range environ {
		if key, v, ok := strings.Cut(kv, "="); ok && key == name && name != "" {
			value = v
		}
	}
	return value
}
