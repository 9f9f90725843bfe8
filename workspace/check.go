package workspace

import (
	"cmp"
	"fmt"

	"github.com/git-cortex/cortex/gitops"
)

// Check is the result of one thing that `cortex doctor` looks at. As JSON it has
// the shape that docs/json.md gives it.
type Check struct {
	Name  string `json:"name"`
	OK    bool   `json:"ok"`
	Wrong string `json:"wrong,omitempty"` // what is wrong, in a line
	Hint  string `json:"hint,omitempty"`  // what to type, or, when all is well, what only a person can do
	Fixed bool   `json:"fixed,omitempty"`
	Did   string `json:"did,omitempty"`  // what was done about it, in a line
	Note  string `json:"note,omitempty"` // what is worth knowing when all is well
}

// Fault returns a check that found something wrong, and a hint of what to type.
func Fault(name, hint, format string, args ...any) Check {
	return Check{Name: name, Wrong: fmt.Sprintf(format, args...), Hint: hint}
}

// Mended returns c after an attempt to mend it: with what was done, or, if err is
// not nil, still wrong and with the reason.
func (c Check) Mended(did string, err error) Check {
	if err != nil {
		c.Wrong += " (mending it: " + err.Error() + ")"
		return c
	}
	c.Fixed, c.Did = true, did
	return c
}

// HookCheck judges how git calls one of cortex's hooks under a policy: where
// memories do not land with commits, no hook is needed.
func HookCheck(h gitops.HookState, policy Config) Check {
	name := "git hook " + h.Name
	switch {
	case h.Current && h.Problem == "":
		return Check{Name: name, OK: true, Note: hookWay(h)}
	case !h.Installed && policy.Land != "commit":
		return Check{Name: name, OK: true, Note: "none, and none is needed with land: " + policy.Land}
	}
	return Check{
		Name:  name,
		Wrong: cmp.Or(h.Problem, "git does not call cortex: memories do not land with commits"),
		Hint:  cmp.Or(h.Hint, "cortex init"),
	}
}

// hookWay says in a few words how git calls cortex.
func hookWay(h gitops.HookState) string {
	if h.Way == gitops.ByConfig {
		return "by git's configuration"
	}
	return "by " + h.Path
}
