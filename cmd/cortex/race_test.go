//go:build race

package main

// Under the race detector a process takes a tenth of a second to start, and
// the scripts start thousands: then only one of them runs, the longest path.
// What could race runs under the detector in the tests of each package.
const scriptsUnderRace = "path-whole.txtar"
