//go:build unix && !linux

package index

const populate = 0
