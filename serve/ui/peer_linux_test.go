package ui

import (
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"
)

func TestPeerIn(t *testing.T) {
	at := inTable // in the machine's order of bytes; TestPeerOf asks the kernel
	server := netip.MustParseAddrPort("127.0.0.1:8080")
	table := strings.NewReplacer("SERVER", at(server), "FIRST", at(netip.MustParseAddrPort("127.0.0.1:40960")),
		"GONE", at(netip.MustParseAddrPort("127.0.0.1:40961")), "THIRD", at(netip.MustParseAddrPort("127.0.0.1:40962"))).Replace(`  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: SERVER 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0 100 0 0 10 0
   1: FIRST SERVER 01 00000000:00000000 00:00000000 00000000  1001        0 12 1 0 20 4 30 10 -1
   2: SERVER FIRST 01 00000000:00000000 00:00000000 00000000  1000        0 13 1 0 20 4 30 10 -1
   3: GONE SERVER 06 00000000:00000000 03:00000F00 00000000     0        0 0 3 0
   4: broken
   5: 0000000000000000FFFF0000THIRD 0000000000000000FFFF0000SERVER 01 00000000:00000000 00:00000000 00000000  1002        0 14 1 0 20 4 30 10 -1
`)
	for client, want := range map[string]int{
		"127.0.0.1:40960":          1001,
		"127.0.0.1:40961":          -1, // no process has it any more
		"[::ffff:127.0.0.1]:40962": 1002,
		"127.0.0.1:40963":          -1,
	} {
		got, ok := peerIn([]byte(table), netip.MustParseAddrPort(client), server)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%s is of user %d, want %d", client, got, want)
		}
	}
}

func TestPeerOf(t *testing.T) {
	on, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer on.Close()
	client, err := net.Dial("tcp4", on.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	uid, ok := peerOf(addrPort(client.LocalAddr()), addrPort(client.RemoteAddr()))
	if _, err := os.Stat("/proc/net/tcp"); err == nil && (!ok || uid != os.Geteuid()) {
		t.Errorf("a connection of ours is of user %d (%v), want %d", uid, ok, os.Geteuid())
	}
}
