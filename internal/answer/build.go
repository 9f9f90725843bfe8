package answer

import (
	"cmp"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
)

// Build is the answer of version: which version and commit the program was built from.
// It takes nothing but what the Go toolchain wrote into the program, so that no flag of a
// build can make it say anything else. As JSON it has the shape of docs/json.md.
type Build struct {
	Version  string `json:"version"`            // of the release, or of the next one with "-dev"
	Commit   string `json:"commit"`             // the first twelve digits; "" if the build does not know it
	Date     string `json:"date,omitempty"`     // of the commit, in RFC 3339
	Modified bool   `json:"modified,omitempty"` // the working tree held more than the commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Newer    string `json:"newer,omitempty"` // release that --check found
}

// ReadBuild returns what this program was built from. A build of the commit that is
// tagged "v" and release is that release; any other is a step before it.
func ReadBuild(release string) Build {
	info, _ := debug.ReadBuildInfo()
	return buildFrom(info, release)
}

func buildFrom(info *debug.BuildInfo, release string) Build {
	out := Build{Version: release + "-dev", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info == nil {
		return out
	}
	if info.Main.Version == "v"+release {
		out.Version = release
	} else if pseudo := pseudoVersion().FindStringSubmatch(info.Main.Version); pseudo != nil {
		out.Commit = pseudo[1] // go install MODULE@latest has no other word of the commit
	}
	vcs := map[string]string{}
	for _, s := range info.Settings {
		vcs[s.Key] = s.Value
	}
	commit := vcs["vcs.revision"]
	out.Commit = cmp.Or(commit[:min(len(commit), 12)], out.Commit)
	out.Date, out.Modified = vcs["vcs.time"], vcs["vcs.modified"] == "true"
	return out
}

// pseudoVersion matches the version that Go gives to a commit without a tag.
func pseudoVersion() *regexp.Regexp {
	return regexp.MustCompile(`^v[0-9.]+-(?:0\.|[0-9A-Za-z.]+\.0\.)?[0-9]{14}-([0-9a-f]{12})`)
}

// String is one line for people.
func (b Build) String() string {
	text := "cortex " + b.Version
	var from []string
	if b.Commit != "" {
		from = append(from, b.Commit)
	}
	if date, _, ok := strings.Cut(b.Date, "T"); ok {
		from = append(from, date)
	}
	if b.Modified {
		from = append(from, "modified")
	}
	if len(from) > 0 {
		text += " (" + strings.Join(from, ", ") + ")"
	}
	return text + " " + b.Go + " " + b.Platform
}
