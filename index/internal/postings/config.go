package postings

import (
	"math"
	"reflect"
	"unsafe"

	bluge "github.com/blugelabs/bluge/index"
	"github.com/blugelabs/bluge/index/mergeplan"
	"github.com/blugelabs/ice"
)

// formats are the formats of segments that Bluge may read and write, by name and version.
type formats = map[string]map[uint32]*bluge.SegmentPlugin

// blugeConfig says how Bluge works on a folder: as it does by default, but with one format of
// segments, a constant for a length norm, and one goroutine that analyses, since documents come
// analysed.
//
// Bluge's own default also names a second version of its format, which no index here has ever
// had: 0.3 MB of the program, most of it a compression. Bluge exports no way to leave that out,
// so the field is set by its address. [TestConfig] holds all this against the default.
func blugeConfig(d bluge.Directory) bluge.Config {
	c := bluge.Config{
		SegmentType:                  ice.Type,
		SegmentVersion:               ice.Version,
		MergePlanOptions:             mergeplan.DefaultMergePlanOptions,
		DeletionPolicyFunc:           func() bluge.DeletionPolicy { return bluge.NewKeepNLatestDeletionPolicy(1) },
		DirectoryFunc:                func() bluge.Directory { return d },
		NormCalc:                     func(string, int) float32 { return unusedNorm() },
		AsyncError:                   func(error) {},
		GoFunc:                       func(f func()) { go f() },
		AnalysisChan:                 make(chan func()),
		NumAnalysisWorkers:           1,
		MergeBufferSize:              1 << 20,
		MinSegmentsForInMemoryMerge:  2,
		PersisterNapUnderNumFiles:    1000,
		MemoryPressurePauseThreshold: math.MaxInt32,
		ValidateSnapshotCRC:          true,
		OptimizeConjunction:          true,
		OptimizeConjunctionUnadorned: true,
		OptimizeDisjunctionUnadorned: true,
	}
	only := &bluge.SegmentPlugin{
		Type: ice.Type, Version: ice.Version, New: ice.New, Load: ice.Load, Merge: ice.Merge,
	}
	*supported(&c) = formats{ice.Type: {ice.Version: only}}
	return c
}

// supported is the field of c that holds the formats of segments.
func supported(c *bluge.Config) *formats {
	field := reflect.ValueOf(c).Elem().FieldByName("supportedSegmentPlugins")
	return (*formats)(unsafe.Pointer(field.UnsafeAddr())) //nolint:gosec // TestConfig holds the type of the field
}
