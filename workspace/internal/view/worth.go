package view

import (
	"cmp"
	"strings"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
)

// ByWorth orders memories that a person is asked about, wherever they are asked: the most worth first, by what
// reviewers turned out to be glad of, layer by layer, then by confidence and by the sessions that met it.
func ByWorth(a, b *memory.Memory) int {
	return cmp.Or(cmp.Compare(worth(b), worth(a)), cmp.Compare(b.Confidence, a.Confidence),
		a.Created.Compare(b.Created), strings.Compare(string(a.ID), string(b.ID)))
}

func worth(m *memory.Memory) float64 {
	shares := map[session.Layer]float64{
		"": 1, session.LayerTag: 1, // somebody's own word
		session.LayerAnswer:    0.93,
		session.LayerCurated:   0.9,
		session.LayerRecipe:    0.3 + 0.2*float64(min(len(m.Seen), 3)),
		session.LayerStructure: 0.4,
		session.LayerUser:      0.15,
	}
	share, known := shares[session.Layer(m.Source.Layer)]
	if !known {
		share = 0.2
	}
	return share + 0.3*m.Confidence + 0.02*float64(m.Priority-m.Type.Priority())
}
