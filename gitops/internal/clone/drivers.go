package clone

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/markers"
)

// DriverState is how the merge drivers stand in this clone.
type DriverState struct {
	Config     bool   // both drivers are in the repository's own configuration
	Attributes bool   // info/attributes names them
	Problem    string // one line when merges do not go through cortex as they should
}

// driverSections are the configuration sections of the drivers.
func driverSections() []string { return []string{"merge.cortex-projection", "merge.cortex-memory"} }

// driverLine is the command of a driver. Exit code 1 is cortex's own "conflict"
// and stands; any other failure, a missing binary too, falls back to git's own
// merge, by union for generated files. cortex leaves %A untouched unless it
// succeeds, so the fallback starts from git's inputs.
func driverLine(binary Binary, section string) string {
	kind, union := "projection", "--union "
	if section == "merge.cortex-memory" {
		kind, union = "memory", ""
	}
	// git takes what follows a percent sign for a placeholder.
	binary.Path = strings.ReplaceAll(binary.Path, "%", "%%")
	return binary.call("merge-driver "+kind+" %O %A %B %P", "(exit 127)") + " || " +
		"{ test $? -eq 1 && exit 1; git merge-file -q " + union + "-L ours -L base -L theirs %A %O %B; }"
}

func attributesBlock() markers.Block {
	return markers.Block{Name: "attributes", Body: "/.cortex/decisions.md merge=cortex-projection\n" +
		"/.cortex/decisions-archive.md merge=cortex-projection\n" +
		"/.cortex/active-plan.md merge=cortex-projection\n" +
		"/.cortex/memories/**/*.md merge=cortex-memory\n"}
}

// Drivers are the merge drivers of a clone: what git runs where both sides
// changed a memory or a page. It is safe for concurrent use.
type Drivers struct {
	git        *gitcmd.Runner
	attributes string      // the file that names the drivers for paths
	changing   *sync.Mutex // of the repository
}

// Drivers returns the merge drivers of this clone. It costs nothing.
func (c Clone) Drivers() *Drivers {
	return &Drivers{git: c.Git, attributes: filepath.Join(c.CommonDir, "info", "attributes"), changing: c.Changing}
}

// Name names the merge drivers in info/attributes, which goes before .gitattributes. What
// is in the configuration goes before it: see [Drivers.Unname]. It may be called again at
// any time.
func (d *Drivers) Name() error {
	d.changing.Lock()
	defer d.changing.Unlock()
	return atomicfile.Edit(d.attributes, 0, func(data []byte) ([]byte, error) {
		return markers.Insert(data, attributesBlock())
	})
}

// DriverSettings are the lines of configuration of the merge drivers.
func DriverSettings(binary Binary) (all []gitcmd.Setting) {
	for _, section := range driverSections() {
		all = append(all, gitcmd.Setting{Key: section + ".driver", Value: driverLine(binary, section)})
	}
	return all
}

// Unname takes the names of the drivers out of info/attributes. It goes before
// what is in the configuration: a driver that is named and not configured would
// be worse than none.
func (d *Drivers) Unname() error {
	d.changing.Lock()
	defer d.changing.Unlock()
	return atomicfile.Edit(d.attributes, 0, func(data []byte) ([]byte, error) {
		return markers.Remove(data, attributesBlock())
	})
}

// State reads how the drivers stand; config may be nil and is then read.
func (d *Drivers) State(ctx context.Context, config *gitcmd.Config, binary Binary) (DriverState, error) {
	config, err := inForce(ctx, d.git, config)
	if err != nil {
		return DriverState{}, err
	}
	data, err := readFile(d.attributes)
	if err != nil {
		return DriverState{}, fmt.Errorf("reading the attributes: %w", err)
	}
	body, named := markers.Body(data, attributesBlock())
	s := DriverState{Attributes: body == attributesBlock().Body}
	s.Config = !slices.ContainsFunc(driverSections(), func(section string) bool {
		return config.LocalValue(section+".driver") == ""
	})
	s.Problem = cmp.Or(withoutDriver(config), s.mismatch(named), foreignDriver(config, binary))
	return s, nil
}

// mismatch says how configuration and attributes do not fit. Named are drivers that
// info/attributes names, perhaps in the words of another version.
func (s DriverState) mismatch(named bool) string {
	if named && !s.Config {
		return "info/attributes names merge drivers that are not configured"
	}
	if s.Config && !s.Attributes {
		return "the merge drivers are configured, and info/attributes does not name them"
	}
	return ""
}

// foreignDriver says which driver is configured with another command than ours.
func foreignDriver(config *gitcmd.Config, binary Binary) string {
	for _, section := range slices.Backward(driverSections()) {
		line := config.LocalValue(section + ".driver")
		if line != "" && line != driverLine(binary, section) {
			return section + ".driver runs something else than this cortex"
		}
	}
	return ""
}

// withoutDriver says which section for a merge driver of cortex has no command.
func withoutDriver(config *gitcmd.Config) string {
	for _, set := range slices.Backward(config.Settings("merge.cortex-")) {
		section := set.Key[:strings.LastIndexByte(set.Key, '.')]
		if config.Value(section+".driver") == "" {
			return section + " is configured without a driver: git stops every merge that needs it"
		}
	}
	return ""
}

// Attribute asks git what an attribute comes to for each of paths, all
// attribute files taken together: "unspecified", "set", "unset" or a value.
func (d *Drivers) Attribute(ctx context.Context, name string, paths ...string) (map[string]string, error) {
	out, err := d.git.Run(ctx, gitcmd.Command{Args: append([]string{"check-attr", "-z", name, "--"}, paths...)})
	if err != nil {
		return nil, fmt.Errorf("reading git's attributes: %w", err)
	}
	found := map[string]string{}
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+2 < len(fields); i += 3 {
		found[fields[i]] = fields[i+2]
	}
	return found, nil
}

// Raise moves the lines that name the merge drivers to the end of
// info/attributes, where no line after them takes their place.
func (d *Drivers) Raise() error {
	d.changing.Lock()
	defer d.changing.Unlock()
	return atomicfile.Edit(d.attributes, 0, func(data []byte) ([]byte, error) {
		rest, err := markers.Remove(data, attributesBlock())
		if err != nil || rest == nil {
			return data, err
		}
		return markers.Insert(rest, attributesBlock())
	})
}

// DriverPaths are a path for each driver and the driver that git is to choose
// for it.
func DriverPaths() map[string]string {
	return map[string]string{
		".cortex/decisions.md":                        "cortex-projection",
		".cortex/decisions-archive.md":                "cortex-projection",
		".cortex/active-plan.md":                      "cortex-projection",
		".cortex/memories/decision/2026-01/a-0000.md": "cortex-memory",
	}
}
