package ui

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// tellsPeers says whether peerOf knows the users of connections.
const tellsPeers = true

// peerOf is the user of the process at the client's end of a connection within this
// machine, as the kernel's tables of connections have it; ok is false where they cannot
// be read or do not have it.
func peerOf(client, server netip.AddrPort) (uid int, ok bool) {
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		data, err := os.ReadFile(table)
		if err != nil {
			continue
		}
		if uid, ok := peerIn(data, client, server); ok {
			return uid, true
		}
	}
	return 0, false
}

// peerIn looks for a connection in one table, see proc_net_tcp.rst of Linux. A socket
// that no process has any more is none: the table calls it root's.
func peerIn(table []byte, client, server netip.AddrPort) (uid int, ok bool) {
	from, to := inTable(client), inTable(server)
	for lines := bufio.NewScanner(bytes.NewReader(table)); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if !isBetween(f, from, to) {
			continue
		}
		if uid, err := strconv.Atoi(f[owner]); err == nil {
			return uid, true
		}
	}
	return 0, false
}

// Columns of a row of the table.
const local, remote, owner, inode = 1, 2, 7, 9

// isBetween reports whether a row of the table is of a connection between two addresses that a process holds.
func isBetween(row []string, from, to string) bool {
	if len(row) <= inode || row[inode] == "0" {
		return false
	}
	return strings.HasSuffix(row[local], from) && strings.HasSuffix(row[remote], to)
}

// inTable is an address of IPv4 as a table has it; in the one for IPv6 it ends so.
func inTable(a netip.AddrPort) string {
	four := a.Addr().Unmap().As4()
	return fmt.Sprintf("%08X:%04X", binary.NativeEndian.Uint32(four[:]), a.Port())
}
