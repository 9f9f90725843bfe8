//go:build unix && !linux

package index

const populateFlag = 0
