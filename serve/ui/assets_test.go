package ui

import "testing"

// maxWeight bounds all assets together, in bytes.
const maxWeight = 40 << 10

// TestAssets: the pages stay light.
func TestAssets(t *testing.T) {
	all, err := assets.ReadDir("assets")
	if err != nil {
		t.Fatal(err)
	}
	weight := 0
	for _, f := range all {
		data, err := assets.ReadFile("assets/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		weight += len(data)
	}
	if weight == 0 || weight > maxWeight {
		t.Errorf("all assets weigh %d bytes, more than %d", weight, maxWeight)
	}
}
