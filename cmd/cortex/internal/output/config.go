package output

import (
	"cmp"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/workspace/settings"
)

// Settings lists settings with their values and where those come from: all, or those that
// something sets.
func Settings(p *console.Printer, list []settings.Setting, all bool) {
	left := 0
	for _, s := range list {
		if !all && !s.Set() {
			left++
			continue
		}
		p.Hang(console.Join(console.Bold(console.Pad(s.Key, 26)), console.Dim(console.Pad(s.From, 9))),
			console.Plain(cmp.Or(s.Value, s.Default)))
	}
	if left > 0 {
		p.Printf("%s\n",
			console.Dim(console.Plural(left, "setting is", "settings are")+" at the default: cortex config list"))
	}
}

// SettingValue prints the value of a setting alone.
func SettingValue(p *console.Printer, s settings.Setting) { p.Printf("%s\n", s.Value) }

// Setting explains a setting.
func Setting(p *console.Printer, s settings.Setting) {
	p.Printf("%s", p.WrapText(console.Join(console.Bold(s.Key), console.Plain(": "+s.About+".")), nil))
	p.Row("value", s.Value)
	p.Row("from", s.Source())
	p.Row("may be", s.Values)
	p.Row("default", s.Default)
}

// SettingChanged says what a setting is now.
func SettingChanged(p *console.Printer, s settings.Setting) {
	p.Printf("%s\n", console.Join(console.Bold(s.Key), console.Plain(": "+cmp.Or(s.Value, s.Default)+" "),
		console.Dim("("+s.Source()+")")))
	if s.Where == settings.Team {
		p.Printf("%s\n", console.Dim("Commit .cortex/config.yaml: it holds for everybody."))
	}
}

// Indexed says how many memories an index was made of.
func Indexed(p *console.Printer, n int, quiet bool) {
	if !quiet {
		p.Printf("Indexed %s.\n", console.Plural(n, "memory", "memories"))
	}
}

// IndexState names what is damaged in an index.
func IndexState(p *console.Printer, problems []index.Problem, quiet bool) {
	for _, problem := range problems {
		p.Printf("%s %s\n", console.Bad("damaged"), problem.Error())
	}
	if len(problems) == 0 && !quiet {
		p.Printf("The index is intact.\n")
	}
}
