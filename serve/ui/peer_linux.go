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
	const local, remote, owner, inode = 1, 2, 7, 9
	from, to := inTable(client), inTable(server)
	for lines := bufio.NewScanner(bytes.NewReader(table)); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) <= inode || !strings.HasSuffix(f[local], from) || !strings.HasSuffix(f[remote], to) || f[inode] == "0" {
			continue
		}
		if uid, err := strconv.Atoi(f[owner]); err == nil {
			return uid, true
		}
	}
	return 0, false
}

// inTable is an address of IPv4 as a table has it; in the one for IPv6 it ends so.
func inTable(a netip.AddrPort) string {
	four := a.Addr().Unmap().As4()
	return fmt.Sprintf("%08X:%04X", binary.NativeEndian.Uint32(four[:]), a.Port())
}
