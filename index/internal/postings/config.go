package postings

import bluge "github.com/blugelabs/bluge/index"

// blugeConfig says how Bluge works on a folder: as it does by default, but with a constant for a
// length norm and one goroutine that analyses, since documents come analysed.
func blugeConfig(d bluge.Directory) bluge.Config {
	c := bluge.DefaultConfigWithDirectory(func() bluge.Directory { return d })
	c.NormCalc = func(string, int) float32 { return unusedNorm() }
	c.AsyncError = func(error) {}
	c.NumAnalysisWorkers = 1
	return c
}
