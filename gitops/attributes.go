package gitops

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/internal/marked"
)

// Attribute asks git what an attribute comes to for each of paths, all
// attribute files taken together: "unspecified", "set", "unset" or a value.
func (d *Drivers) Attribute(ctx context.Context, name string, paths ...string) (map[string]string, error) {
	out, err := d.git.run(ctx, command{args: append([]string{"check-attr", "-z", name, "--"}, paths...)})
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
	return editFile(d.attributes, 0, func(data []byte) ([]byte, error) {
		rest, err := marked.Remove(data, attributesBlock())
		if err != nil || rest == nil {
			return data, err
		}
		return marked.Insert(rest, attributesBlock())
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
