//go:build !linux

package mapped

const populateFlag = 0

// populate does nothing: pages come when they are touched.
func populate([]byte) {}
