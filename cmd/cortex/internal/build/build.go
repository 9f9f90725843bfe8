// Package build says which version and commit a program was built from. Call [Read]
// with the number of the next release. It promises to take nothing but what the Go
// toolchain wrote into the program, so that no flag of a build can make it say
// anything else.
package build

import (
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
)

// Info describes the build of a program. As JSON it has the shape of docs/json.md.
type Info struct {
	Version  string `json:"version"`            // of the release, or of the next one with "-dev"
	Commit   string `json:"commit"`             // the first twelve digits; "" if the build does not know it
	Date     string `json:"date,omitempty"`     // of the commit, in RFC 3339
	Modified bool   `json:"modified,omitempty"` // the working tree held more than the commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// Read returns what this program was built from. A build of the commit that is
// tagged "v" and release is that release; any other is a step before it.
func Read(release string) Info {
	info, _ := debug.ReadBuildInfo()
	return from(info, release)
}

func from(info *debug.BuildInfo, release string) Info {
	out := Info{Version: release + "-dev", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info == nil {
		return out
	}
	if info.Main.Version == "v"+release {
		out.Version = release
	} else if pseudo := pseudoVersion().FindStringSubmatch(info.Main.Version); pseudo != nil {
		out.Commit = pseudo[1] // go install MODULE@latest has no other word of the commit
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			out.Commit = s.Value[:min(len(s.Value), 12)]
		case "vcs.time":
			out.Date = s.Value
		case "vcs.modified":
			out.Modified = s.Value == "true"
		}
	}
	return out
}

// pseudoVersion matches the version that Go gives to a commit without a tag.
func pseudoVersion() *regexp.Regexp {
	return regexp.MustCompile(`^v[0-9.]+-(?:0\.|[0-9A-Za-z.]+\.0\.)?[0-9]{14}-([0-9a-f]{12})`)
}

// String is one line for people.
func (i Info) String() string {
	text := "cortex " + i.Version
	var from []string
	if i.Commit != "" {
		from = append(from, i.Commit)
	}
	if date, _, ok := strings.Cut(i.Date, "T"); ok {
		from = append(from, date)
	}
	if i.Modified {
		from = append(from, "modified")
	}
	if len(from) > 0 {
		text += " (" + strings.Join(from, ", ") + ")"
	}
	return text + " " + i.Go + " " + i.Platform
}
