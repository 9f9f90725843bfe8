package hub

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/suspicion"
	"github.com/git-cortex/cortex/memory"
)

// judgement is the version of judge: files that another one read are read again.
const judgement = 2

// judge reads a file. What is no memory is noted with its problem, and stops nothing: m is nil then.
func judge(p *memory.Parser, blob, path, data string) (f File, m *memory.Memory) {
	m, err := p.Parse(path, data)
	if err != nil {
		return File{Blob: blob, Problem: err.Error()}, nil
	}
	id := memory.ID(strings.Clone(string(m.ID))) // which is kept, and the file is not
	return File{Blob: blob, ID: id, Flags: flagsOf(m), Errors: errorsOf(m)}, m
}

// flagsOf names what an agent must not be told of a memory of somebody else, by the rules of
// `cortex check`.
func flagsOf(m *memory.Memory) []string {
	flags := lists.Map(suspicion.Signs(m), func(sign suspicion.Sign) string { return sign.Rule })
	if _, secrets := redact.String(strings.Join([]string{m.Title, m.Text}, "\n")); len(secrets) > 0 {
		flags = append(flags, suspicion.Secret)
	}
	slices.Sort(flags)
	return slices.Compact(flags)
}

// maxErrors is how many errors bring a memory back.
const maxErrors = 16

// errorsOf are the signatures of the errors that bring a memory back.
func errorsOf(m *memory.Memory) (out []string) {
	for _, line := range m.TriggersOf(memory.TriggerError) {
		if s := recipe.Signature(line); s != "" && len(out) < maxErrors && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
