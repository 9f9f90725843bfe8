package index

import "context"

// File is one memory file of a working tree.
type File struct {
	Path string // slash-separated, relative to the scanned folder
	Blob string
}

// Tree is what [Index.Scan] found, sorted by path.
type Tree struct {
	Files    []File
	Problems []Problem // paths relative to the scanned folder
	Read     int       // files that had to be read, because they are new or changed
}

// Scan lists the memory files below the folder root (…/.cortex/memories) and
// puts those it has not seen into the catalog. A folder that is not there is an
// empty tree. Only regular files ending in .md are memories; links, devices,
// files over the limit of [memory.MaxFile] and folders nested too deep are
// problems. Unchanged files cost one stat each.
func (x *Index) Scan(ctx context.Context, root string) (*Tree, error) { panic("soon") }

// BlobID is the git blob id of data, hexadecimal.
func BlobID(data []byte, sha256 bool) string { panic("soon") }

func (x *Index) problems(items []Item) []Problem { panic("soon") }
