// Package sqlite reads the tables of an SQLite database, whoever wrote it, without SQLite.
// [Open] a file, and call [DB.Rows] for the rows of a table in the order of their ids.
//
// It promises that nothing is written, not even a lock; that every row is the one which
// SQLite would return as of the last transaction; and that a file which is damaged,
// encrypted, in the middle of a transaction, or changed while it is read is an error that
// says what to do, never a wrong row, a crash or an endless loop. It reads what
// docs/design/0012-read-sqlite-without-sqlite.md lists, and refuses the rest by name.
package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf16"
)

// Sentinels for what is wrong with a file.
var (
	ErrNotDatabase = errors.New("not an SQLite database, or an encrypted one: export it unencrypted with the program that wrote it")
	ErrEmpty       = errors.New("the file is empty")
	ErrBusy        = errors.New("a transaction in it has not ended: close the program that writes it, open the database once with it, and try again")
	ErrChanged     = errors.New("it changed while it was read: close the program that writes it, and try again")
	ErrCorrupt     = errors.New("the database is damaged: write a copy of what can be read with sqlite3 FILE .recover | sqlite3 COPY, and import that")
	ErrNoTable     = errors.New("no such table")
	ErrUnsupported = errors.New("this kind of table cannot be read")
)

const (
	magic      = "SQLite format 3\x00"
	headerSize = 100
	maxDepth   = 40       // of a tree; SQLite's own limit is 20
	maxPayload = 64 << 20 // bytes of one row
	maxColumns = 32767    // of a table; SQLite's own limit
)

// DB is an open database. It is for one goroutine.
type DB struct {
	file   *os.File
	wal    *wal // nil without one
	stamp  stamp
	page   int    // bytes in a page
	usable int    // of them, without what extensions reserve
	pages  uint32 // in the database
	utf16  binary.ByteOrder
	tables map[string]*table
	names  []string
}

// stamp says how the files were when they were opened.
type stamp struct {
	size, walSize int64
	at, walAt     time.Time
	header        [headerSize]byte
}

// Open opens the database in a file of that name. The log beside it (-wal) is read too.
func Open(name string) (*DB, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	d := &DB{file: f}
	if err := d.open(); err != nil {
		d.Close()
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return d, nil
}

// Close closes the files.
func (d *DB) Close() error {
	err := d.file.Close()
	if d.wal != nil {
		err = errors.Join(err, d.wal.file.Close())
	}
	return err
}

func (d *DB) open() error {
	info, err := d.file.Stat()
	if err != nil {
		return err
	}
	if info.Mode().IsRegular() && info.Size() == 0 {
		return ErrEmpty
	}
	if !info.Mode().IsRegular() || info.Size() < headerSize {
		return ErrNotDatabase
	}
	var head [headerSize]byte
	if _, err := d.file.ReadAt(head[:], 0); err != nil {
		return err
	}
	if string(head[:len(magic)]) != magic {
		return ErrNotDatabase
	}
	d.page = int(binary.BigEndian.Uint16(head[16:]))
	if d.page == 1 {
		d.page = 65536
	}
	d.usable = d.page - int(head[20])
	if d.page < 512 || d.page&(d.page-1) != 0 || d.usable < 480 {
		return fmt.Errorf("%w: pages of %d bytes", ErrCorrupt, d.page)
	}
	if hot(d.file.Name() + "-journal") {
		return ErrBusy
	}
	switch {
	case head[19] == 2:
		if d.wal, err = openWAL(d.file.Name()+"-wal", d.page); err != nil {
			return err
		}
	case head[19] > 2:
		return fmt.Errorf("%w: format %d", ErrUnsupported, head[19])
	}
	d.pages = uint32(min(info.Size()/int64(d.page), 1<<32-2))
	if d.wal != nil && d.wal.pages > 0 {
		d.pages = d.wal.pages
	}
	if d.stamp, err = d.stampNow(); err != nil {
		return err
	}
	first, err := d.read(1)
	if err != nil {
		return err
	}
	switch binary.BigEndian.Uint32(first[56:]) {
	case 2:
		d.utf16 = binary.LittleEndian
	case 3:
		d.utf16 = binary.BigEndian
	}
	return d.readSchema()
}

// hot reports whether the journal beside a database holds a transaction that was not
// finished: it begins with the magic bytes of one.
func hot(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [8]byte
	_, err = io.ReadFull(f, head[:])
	return err == nil && string(head[:]) == "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
}

func (d *DB) stampNow() (stamp, error) {
	info, err := d.file.Stat()
	if err != nil {
		return stamp{}, err
	}
	s := stamp{size: info.Size(), at: info.ModTime()}
	if _, err := d.file.ReadAt(s.header[:], 0); err != nil {
		return s, err
	}
	if walInfo, err := os.Stat(d.file.Name() + "-wal"); err == nil {
		s.walSize, s.walAt = walInfo.Size(), walInfo.ModTime()
	}
	return s, nil
}

// Check returns [ErrChanged] when a file is no longer as it was when it was opened. What
// was read before it returned nil is of one state.
func (d *DB) Check() error {
	now, err := d.stampNow()
	if err == nil && now != d.stamp {
		err = ErrChanged
	}
	return err
}

// read returns a page, from the log if it is there.
func (d *DB) read(n uint32) ([]byte, error) {
	if n == 0 || n > d.pages {
		return nil, fmt.Errorf("%w: page %d of %d", ErrCorrupt, n, d.pages)
	}
	buf := make([]byte, d.page)
	from, at := d.file, int64(n-1)*int64(d.page)
	if d.wal != nil {
		if offset, ok := d.wal.at[n]; ok {
			from, at = d.wal.file, offset
		}
	}
	if _, err := from.ReadAt(buf, at); err != nil {
		return nil, fmt.Errorf("%w: page %d: %w", ErrCorrupt, n, err)
	}
	return buf, nil
}

// text decodes a text of the database.
func (d *DB) text(data []byte) string {
	if d.utf16 == nil {
		return strings.ToValidUTF8(string(data), "\uFFFD")
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = d.utf16.Uint16(data[2*i:])
	}
	return string(utf16.Decode(units))
}
