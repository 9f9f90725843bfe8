package postings

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	bluge "github.com/blugelabs/bluge/index"
	segment "github.com/blugelabs/bluge_segment_api"
	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/index/internal/mapped"
)

// directory is where Bluge keeps one generation. Bluge trusts the bytes it
// maps, so every file here ends in a footer that is checked before Bluge sees
// it: 8 bytes id, 4 bytes kind, 4 bytes CRC of all before. Files appear by
// rename, whole, and are never changed. Foreign files are not seen at all.
//
// There is no fsync: a file that a power cut left torn does not verify, and the
// generation is made again. Locks are the caller's.
type directory struct {
	path string

	mu       sync.Mutex
	snapshot []byte // the last snapshot persisted through this directory
	epoch    uint64 // and its number
}

const footerSize = 8 + 4 + 4

func itemName(kind string, id uint64) string { return fmt.Sprintf("%012x%s", id, kind) }

func (d *directory) file(kind string, id uint64) string {
	return filepath.Join(d.path, itemName(kind, id))
}

// Setup makes the folder.
func (d *directory) Setup(readOnly bool) error {
	if readOnly {
		return nil
	}
	if err := os.MkdirAll(d.path, 0o777); err != nil {
		return fmt.Errorf("making a generation of the index: %w", err)
	}
	return nil
}

// List names the items of a kind, newest first.
func (d *directory) List(kind string) ([]uint64, error) {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return nil, fmt.Errorf("listing the index: %w", err)
	}
	var ids []uint64
	for _, e := range entries {
		base, ok := strings.CutSuffix(e.Name(), kind)
		if id, err := strconv.ParseUint(base, 16, 64); ok && err == nil && itemName(kind, id) == e.Name() {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	return ids, nil
}

// Load verifies an item and returns it without its footer. Segments are mapped,
// snapshots are read: Bluge faults on a mapped snapshot that is damaged.
func (d *directory) Load(kind string, id uint64) (*segment.Data, io.Closer, error) {
	data, closer, err := mapped.Load(d.file(kind, id), kind == bluge.ItemKindSegment)
	if err != nil {
		return nil, nil, fmt.Errorf("loading %s of the index: %w", itemName(kind, id), err)
	}
	body, err := checkFooter(data, kind, id)
	if err != nil {
		_ = closer.Close()
		return nil, nil, fmt.Errorf("loading %s of the index: %w", itemName(kind, id), err)
	}
	return segment.NewDataBytes(body), closer, nil
}

func checkFooter(data []byte, kind string, id uint64) ([]byte, error) {
	n := len(data) - footerSize
	if n <= 0 {
		return nil, cachefile.ErrDamaged
	}
	foot := data[n:]
	if binary.LittleEndian.Uint64(foot) != id || string(foot[8:12]) != kind {
		return nil, cachefile.ErrDamaged
	}
	if !cachefile.Sound(mapped.String(data)) {
		return nil, cachefile.ErrDamaged
	}
	return data[:n:n], nil
}

// verify reads an item or a table.
func (d *directory) verify(kind string, id uint64) error {
	if kind == tableKind {
		_, err := readTable(d, id)
		return err
	}
	_, closer, err := d.Load(kind, id)
	if err != nil {
		return err
	}
	return closer.Close()
}

func footer(kind string, id uint64) []byte {
	return append(binary.LittleEndian.AppendUint64(nil, id), kind...)
}

// Persist writes an item with its footer.
func (d *directory) Persist(kind string, id uint64, w bluge.WriterTo, closing chan struct{}) error {
	file, err := cachefile.Create(d.file(kind, id))
	if err != nil {
		return fmt.Errorf("writing the index: %w", err)
	}
	defer file.Close()
	var kept bytes.Buffer
	sum := crc32.New(cachefile.Table())
	out := io.MultiWriter(file, sum)
	if kind == bluge.ItemKindSnapshot {
		out = io.MultiWriter(file, sum, &kept)
	}
	_, err = w.WriteTo(out, closing)
	if err == nil {
		foot := footer(kind, id)
		_, _ = sum.Write(foot)
		_, err = file.Write(binary.LittleEndian.AppendUint32(foot, sum.Sum32()))
	}
	if err == nil {
		err = file.Commit()
	}
	if err != nil {
		return fmt.Errorf("writing the index: %w", err)
	}
	if kind == bluge.ItemKindSnapshot {
		d.mu.Lock()
		d.snapshot, d.epoch = kept.Bytes(), id
		d.mu.Unlock()
	}
	return nil
}

// Remove deletes an item. Readers that have it mapped keep it.
func (d *directory) Remove(kind string, id uint64) error {
	if err := os.Remove(d.file(kind, id)); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("removing from the index: %w", err)
	}
	return nil
}

// Stats counts files and bytes.
func (d *directory) Stats() (files, size uint64) {
	n, total := folderSize(d.path)
	return uint64(n), uint64(total)
}

// Sync has nothing to do; see [directory].
func (d *directory) Sync() error { return nil }

// Lock has nothing to do: the caller holds the lock of the whole index. Bluge's
// own lock deletes its file, which lets two writers in.
func (d *directory) Lock() error { return nil }

// Unlock has nothing to do.
func (d *directory) Unlock() error { return nil }

// preloaded is the directory that readers and writers start from: exactly one
// snapshot and its segments, all verified before Bluge opens it. Bluge logs
// to the global logger what it cannot open, and it never has to.
type preloaded struct {
	*directory
	epoch    uint64
	snap     []byte
	segments map[uint64]segmentBytes
}

type segmentBytes struct {
	data   []byte
	closer io.Closer
}

// preload verifies the newest snapshot that can be used. It looks again a few
// times, because a writer may replace files while it reads.
func preload(path string) (*preloaded, error) {
	d := &directory{path: path}
	var err error
	for range 4 {
		var epochs []uint64
		if epochs, err = d.List(bluge.ItemKindSnapshot); err != nil {
			return nil, err
		}
		if len(epochs) == 0 {
			return nil, os.ErrNotExist
		}
		for _, epoch := range epochs {
			var p *preloaded
			if p, err = d.preloadEpoch(epoch); err == nil {
				return p, nil
			}
		}
		if !errors.Is(err, os.ErrNotExist) {
			break
		}
	}
	return nil, err
}

func (d *directory) preloadEpoch(epoch uint64) (*preloaded, error) {
	data, _, err := d.Load(bluge.ItemKindSnapshot, epoch)
	if err != nil {
		return nil, err
	}
	p := &preloaded{directory: d, epoch: epoch, segments: map[uint64]segmentBytes{}}
	if p.snap, err = data.Read(0, data.Len()); err != nil {
		return nil, fmt.Errorf("reading a snapshot of the index: %w", err)
	}
	ids, err := snapshotSegments(p.snap)
	if err != nil {
		return nil, err
	}
	seals := d.readSeals()
	for _, id := range ids {
		m, err := d.segment(id, seals)
		if err != nil {
			seals.abort()
			p.release()
			return nil, fmt.Errorf("loading %s of the index: %w", itemName(bluge.ItemKindSegment, id), err)
		}
		p.segments[id] = m
	}
	seals.save()
	return p, nil
}

// lent is p for a writer, which does not own the mappings.
func (p *preloaded) lent() *preloaded {
	out := &preloaded{
		directory: &directory{path: p.path, epoch: p.epoch}, epoch: p.epoch, snap: p.snap,
		segments: map[uint64]segmentBytes{},
	}
	for id, m := range p.segments {
		out.segments[id] = segmentBytes{m.data, mapped.NoCloser{}}
	}
	return out
}

func (p *preloaded) release() {
	for _, m := range p.segments {
		_ = m.closer.Close()
	}
}

// List names the one snapshot, and the segments of the folder.
func (p *preloaded) List(kind string) ([]uint64, error) {
	switch {
	case kind != bluge.ItemKindSnapshot:
		return p.directory.List(kind)
	case p.snap == nil:
		return nil, nil // a new generation
	}
	return []uint64{p.epoch}, nil
}

// Load hands out what was verified; files written since are verified now.
func (p *preloaded) Load(kind string, id uint64) (*segment.Data, io.Closer, error) {
	if kind == bluge.ItemKindSnapshot && id == p.epoch {
		return segment.NewDataBytes(p.snap), mapped.NoCloser{}, nil
	}
	if m, ok := p.segments[id]; ok && kind == bluge.ItemKindSegment {
		return segment.NewDataBytes(m.data), m.closer, nil
	}
	return p.directory.Load(kind, id)
}

// snapshotSegments reads the ids of the segments that a Bluge snapshot names.
func snapshotSegments(snap []byte) ([]uint64, error) {
	c := cachefile.Reader{Rest: string(snap)}
	if version := c.Uvarint(); version != 1 {
		return nil, fmt.Errorf("snapshot of the index has version %d", version)
	}
	var ids []uint64
	for range c.Count() {
		c.Text()   // type
		c.Fixed(4) // version
		ids = append(ids, uint64(c.Uvarint()))
		c.Text() // deleted
	}
	if c.Err != nil {
		return nil, fmt.Errorf("reading a snapshot of the index: %w", c.Err)
	}
	return ids, nil
}
