package hub

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/internal/suspicion"
	"github.com/git-cortex/cortex/memory"
)

// judge reads a file. What is no memory is noted with its problem, and stops nothing: m is nil then.
func judge(blob, path string, data []byte) (f File, m *memory.Memory) {
	m, err := memory.Parse(path, data)
	if err != nil {
		return File{Blob: blob, Problem: err.Error()}, nil
	}
	return File{Blob: blob, ID: m.ID, Flags: flagsOf(m)}, m
}

// flagsOf names what an agent must not be told of a memory of somebody else, by the rules of
// `cortex check`.
func flagsOf(m *memory.Memory) []string {
	var flags []string
	for _, sign := range suspicion.Signs(m) {
		flags = append(flags, sign.Rule)
	}
	if _, secrets := redact.String(strings.Join([]string{m.Title, m.Text}, "\n")); len(secrets) > 0 {
		flags = append(flags, suspicion.Secret)
	}
	slices.Sort(flags)
	return slices.Compact(flags)
}
