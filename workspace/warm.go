package workspace

import (
	"path/filepath"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
)

// early is an index that is being read while git is asked where the repository
// is. It is a guess: nil when there is none, and dropped when git says
// otherwise.
type early struct {
	opt   index.Options
	index *index.Index
}

// warm starts to read the caches of the repository that env.Dir seems to be in. Git
// refuses those of other users, and what they wrote is not read before it has spoken.
func warm(env Env) *early {
	at, ok := hookstate.Find(env.Dir)
	if !ok || filepath.Dir(at.Git) != at.Root {
		return nil
	}
	e := &early{opt: indexOptions(env, filepath.Join(at.Common, "cortex"), false)}
	e.index = index.Open(e.opt)
	e.index.Warm(filepath.Join(at.Root, filepath.FromSlash(MemoriesDir)))
	return e
}

func indexOptions(env Env, dir string, useSHA256 bool) index.Options {
	return index.Options{Dir: dir, SHA256: useSHA256, OneShot: env.Once, Watch: env.Lives, Prefix: MemoriesDir + "/"}
}

// take is the index of opt, the one that is being read if that is it.
func (e *early) take(opt index.Options) *index.Index {
	if e != nil && e.opt == opt {
		return e.index
	}
	e.drop()
	return index.Open(opt)
}

func (e *early) drop() {
	if e != nil {
		_ = e.index.Close() // it was only read
	}
}
