package answer

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// TestBuild: each way to build says what it can of the commit, and only the build of
// the tag is the release.
func TestBuild(t *testing.T) {
	vcs := func(version string, settings ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Version: version}}
		for i := 0; i < len(settings); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return info
	}
	const commit = "6bbe5955abcd0123456789abcdef0123456789ab"
	for name, tt := range map[string]struct {
		info *debug.BuildInfo
		want string
	}{
		"nothing known":      {nil, "cortex 0.2.0-dev"},
		"without a commit":   {vcs("(devel)"), "cortex 0.2.0-dev"},
		"the tag":            {vcs("v0.2.0", "vcs.revision", commit, "vcs.time", "2026-11-22T20:15:01Z", "vcs.modified", "false"), "cortex 0.2.0 (6bbe5955abcd, 2026-11-22)"},
		"the tag, installed": {vcs("v0.2.0"), "cortex 0.2.0"},
		"a dirty tag":        {vcs("v0.2.0+dirty", "vcs.revision", commit, "vcs.modified", "true"), "cortex 0.2.0-dev (6bbe5955abcd, modified)"},
		"an older tag":       {vcs("v0.1.0"), "cortex 0.2.0-dev"},
		"a commit, cloned":   {vcs("v0.0.0-20261122201501-6bbe5955abcd", "vcs.revision", commit), "cortex 0.2.0-dev (6bbe5955abcd)"},
		"no tag, installed":  {vcs("v0.0.0-20261122201501-6bbe5955abcd"), "cortex 0.2.0-dev (6bbe5955abcd)"},
		"after a tag":        {vcs("v0.1.1-0.20261122201501-6bbe5955abcd"), "cortex 0.2.0-dev (6bbe5955abcd)"},
		"after a candidate":  {vcs("v0.2.0-rc.1.0.20261122201501-6bbe5955abcd"), "cortex 0.2.0-dev (6bbe5955abcd)"},
		"a short revision":   {vcs("(devel)", "vcs.revision", "6bbe"), "cortex 0.2.0-dev (6bbe)"},
	} {
		t.Run(name, func(t *testing.T) {
			got := buildFrom(tt.info, "0.2.0").String()
			if want := tt.want + " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
	if !strings.HasPrefix(ReadBuild("0.2.0").String(), "cortex 0.2.0-dev") {
		t.Errorf("a test is no release: %s", ReadBuild("0.2.0"))
	}
}
