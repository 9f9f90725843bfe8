// Package tree looks at the files of a working tree, and remembers how they were: an
// unchanged file costs one stat.
//
// [Load] the [Cache] of a tree, [Walk] it, and write down what was found with [Cache.Begin]
// and [Writer.Save]. A [Watch] tells where even that look is not needed. What the package
// promises: a file whose size, times and inode are those of the last walk, and which was not
// modified in the same moment as that (git's rule for racily clean entries), comes with the
// blob that it had; links, pipes and devices are problems, and are never waited for.
package tree
