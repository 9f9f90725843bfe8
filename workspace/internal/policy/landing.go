package policy

import (
	"fmt"
	"slices"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/suspicion"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/hearsay"
)

// Sure reports whether nothing in a pending memory itself keeps it from landing by
// itself, where the team has memories land with commits.
func (c *Config) Sure(m *memory.Memory) bool { return c.Holds(m) == "" && len(suspicion.Signs(m)) == 0 }

// Holds says in a few words why the policy lets a memory wait for a person; "" for
// nothing.
func (c *Config) Holds(m *memory.Memory) string {
	if !slices.Contains([]string{"", memory.HoldPrivate}, m.Hold) {
		return "it is held: " + m.Hold
	}
	if why := hearsay.Waits(m); why != "" {
		return why
	}
	if m.Scope == memory.ScopeGlobal {
		return "it is about you, not about this repository: cortex promote keeps it for all of yours"
	}
	if layer := session.Layer(m.Source.Layer); !layer.Lands(m.Confidence) {
		return c.unproved(layer)
	}
	if m.Confidence < c.LandConfidence {
		return fmt.Sprintf("its confidence is below %.2f", c.LandConfidence)
	}
	return c.Private(m)
}

// unproved says in a few words why a memory of a layer does not land by itself.
func (c *Config) unproved(layer session.Layer) string {
	switch layer {
	case session.LayerUser:
		return "it is a sentence of the user as it was typed: it waits for a yes"
	case session.LayerLLM:
		return "a model worded it, and nobody checked it"
	}
	return fmt.Sprintf("its confidence is below %.2f", max(c.LandConfidence, session.Measured))
}

// Private says in a few words that a memory may not be for everybody; "" if it is.
func (c *Config) Private(m *memory.Memory) string {
	var r *redact.Redactor
	if c.PII == "keep" {
		r = r.Keeping()
	}
	if kind := r.Sensitive(m.Title + "\n" + m.Text); kind != "" {
		return "it may not be for everybody: " + kind
	}
	if m.Hold == memory.HoldPrivate {
		return "it may not be for everybody: read it before you accept it"
	}
	return ""
}

// Flagged says what `cortex check` would say of a pending memory with a content; "" for
// nothing.
func (c *Config) Flagged(m *memory.Memory, blob string) string {
	return hearsay.Flagged(m, slices.Contains(c.CheckAccept, Acceptance(m, blob)))
}
