package tree

import (
	"encoding/binary"
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What may change the bytes, the names or the stamps of files. A program that wrote
// through a memory map closes the file last.
const changes = unix.IN_MODIFY | unix.IN_CLOSE_WRITE | unix.IN_ATTRIB | unix.IN_CREATE | unix.IN_DELETE |
	unix.IN_MOVED_FROM | unix.IN_MOVED_TO | unix.IN_DELETE_SELF | unix.IN_MOVE_SELF

// Watch counts what happens to folders. The zero value is not usable: call [NewWatch].
type Watch struct {
	fd      int
	folders map[string]int // what the kernel calls the folder that is at a path
	count   int
	lost    bool
	buffer  []byte
}

// NewWatch returns a watch of no folder. It is false where the system has none, or no
// more of them.
func NewWatch() (*Watch, bool) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil, false
	}
	return &Watch{fd: fd, folders: map[string]int{}, buffer: make([]byte, 16<<10)}, true
}

// Add watches the folder that is at an absolute path now. One that was not watched
// already counts as something that happened: until now nobody saw what did. It is false
// where the folder cannot be watched.
func (w *Watch) Add(folder string) bool {
	at, err := unix.InotifyAddWatch(w.fd, folder, changes|unix.IN_ONLYDIR|unix.IN_DONT_FOLLOW)
	if err != nil {
		return false
	}
	if was, known := w.folders[folder]; known && was == at {
		return true
	}
	w.folders[folder] = at
	w.count++
	return counted(folder)
}

// counted reports whether this machine alone writes to the file system of a folder,
// so that its kernel sees every change.
func counted(folder string) bool {
	var fs unix.Statfs_t
	if unix.Statfs(folder, &fs) != nil {
		return false
	}
	switch int64(fs.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.F2FS_SUPER_MAGIC,
		unix.OVERLAYFS_SUPER_MAGIC, zfs, bcachefs:
		return true
	}
	return false
}

// File systems that x/sys does not name.
const (
	zfs      = 0x2fc12fc1
	bcachefs = 0xca451a4e
)

// Happened is how many things have happened since the watch was made. It is false
// when that is not known any more: too many have, or the watch was lost.
func (w *Watch) Happened() (count int, ok bool) {
	for !w.lost {
		n, err := unix.Read(w.fd, w.buffer)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EAGAIN):
			return w.count, true
		case err != nil || n <= 0:
			w.lost = true
		default:
			w.read(w.buffer[:n])
		}
	}
	return w.count, false
}

// read counts events: struct inotify_event, whose last field is the length of the
// name behind it.
func (w *Watch) read(events []byte) {
	for len(events) >= unix.SizeofInotifyEvent {
		mask := binary.NativeEndian.Uint32(events[unsafe.Offsetof(unix.InotifyEvent{}.Mask):])
		name := binary.NativeEndian.Uint32(events[unsafe.Offsetof(unix.InotifyEvent{}.Len):])
		w.count++
		if mask&(unix.IN_Q_OVERFLOW|unix.IN_UNMOUNT|unix.IN_IGNORED) != 0 {
			w.lost = true
		}
		events = events[min(len(events), unix.SizeofInotifyEvent+int(name)):]
	}
}

// Close ends the watch.
func (w *Watch) Close() {
	w.lost = true
	_ = unix.Close(w.fd)
}
