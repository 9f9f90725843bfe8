package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

const (
	walHeader   = 32
	frameHeader = 24
)

// wal is the log of a database: pages that were committed and are not in the file yet.
type wal struct {
	file  *os.File
	pages uint32           // of the database after the last commit; 0 for a log without one
	at    map[uint32]int64 // where the last committed version of a page stands
}

// openWAL reads which pages a log holds, up to its last commit; nil without a log. What
// follows a frame with a wrong checksum or salt is left of an earlier use of the file.
func openWAL(name string, page int) (*wal, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the log of the database: %w", err)
	}
	w := &wal{file: f, at: map[uint32]int64{}}
	if err := w.scan(page); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("reading the log of the database: %w", err)
	}
	return w, nil
}

func (w *wal) scan(page int) error {
	var head [walHeader]byte
	if _, err := w.file.ReadAt(head[:], 0); errors.Is(err, io.EOF) {
		return nil // empty: all of it is in the database
	} else if err != nil {
		return err
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch binary.BigEndian.Uint32(head[:]) {
	case 0x377f0682:
	case 0x377f0683:
		order = binary.BigEndian
	default:
		return nil // it was never begun
	}
	sum := walSum(order, [2]uint32{}, head[:24])
	if sum != [2]uint32{binary.BigEndian.Uint32(head[24:]), binary.BigEndian.Uint32(head[28:])} {
		return nil
	}
	if size := binary.BigEndian.Uint32(head[8:]); int(size) != page {
		return fmt.Errorf("%w: its pages have %d bytes, those of the database %d", ErrCorrupt, size, page)
	}
	frame := make([]byte, frameHeader+page)
	pending := map[uint32]int64{}
	for at := int64(walHeader); ; at += int64(len(frame)) {
		if _, err := w.file.ReadAt(frame, at); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if string(frame[8:16]) != string(head[16:24]) {
			return nil
		}
		sum = walSum(order, walSum(order, sum, frame[:8]), frame[frameHeader:])
		if sum != [2]uint32{binary.BigEndian.Uint32(frame[16:]), binary.BigEndian.Uint32(frame[20:])} {
			return nil
		}
		pending[binary.BigEndian.Uint32(frame)] = at + frameHeader
		if pages := binary.BigEndian.Uint32(frame[4:]); pages > 0 { // a commit
			w.pages = pages
			for n, offset := range pending {
				w.at[n] = offset
			}
			clear(pending)
		}
	}
}

// walSum goes on with the checksum of a log over data, of a multiple of eight bytes.
func walSum(order binary.ByteOrder, s [2]uint32, data []byte) [2]uint32 {
	for ; len(data) >= 8; data = data[8:] {
		s[0] += order.Uint32(data) + s[1]
		s[1] += order.Uint32(data[4:]) + s[0]
	}
	return s
}
