package ui

import (
	"errors"
	"net"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// visitors are connections, one after the other.
type visitors struct {
	net.Listener
	left int
}

func (v *visitors) Accept() (net.Conn, error) {
	if v.left--; v.left < 0 {
		return nil, net.ErrClosed
	}
	c, _ := net.Pipe()
	return c, nil
}

// TestRefusedOnce: however often programs of another user ask, the person at the terminal
// is told once.
func TestRefusedOnce(t *testing.T) {
	var notes []string
	own := newOwnListener(&visitors{left: 5}, func(line string) { notes = append(notes, line) })
	own.uid = 1000
	uids := []int{1001, 1001, 1002, 1001, 1002}
	own.peer = func(_, _ netip.AddrPort) (int, bool) {
		uid := uids[0]
		uids = uids[1:]
		return uid, true
	}
	if _, err := own.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Fatal(err)
	}
	want := []string{
		"a program of another user (1001) asked for the pages and was refused",
		"a program of another user (1002) asked for the pages and was refused",
	}
	if diff := cmp.Diff(want, notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

// TestOwnListener: programs of other users of this machine get no answer, and the person
// at the terminal is told.
func TestOwnListener(t *testing.T) {
	for _, tc := range []struct {
		name     string
		uid      int
		known    bool
		server   int
		answered bool
	}{
		{"the same user", 1000, true, 1000, true},
		{"another user", 1001, true, 1000, false},
		{"root", 0, true, 1000, true},
		{"a server of root", 1001, true, 0, true},
		{"nobody knows", 0, false, 1000, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			on, err := net.Listen("tcp4", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			var notes []string
			own := newOwnListener(on, func(line string) { notes = append(notes, line) })
			own.uid = tc.server
			own.peer = func(_, _ netip.AddrPort) (int, bool) {
				if tc.answered {
					return tc.uid, tc.known
				}
				_ = on.Close() // after this one there is no other
				return tc.uid, tc.known
			}
			client, err := net.Dial("tcp4", on.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			got, err := own.Accept()
			if tc.answered != (err == nil) || err != nil && !errors.Is(err, net.ErrClosed) {
				t.Fatalf("answered: %v, want %v", err, tc.answered)
			}
			want := []string{"a program of another user (1001) asked for the pages and was refused"}
			if tc.answered {
				want = nil
				_ = got.Close()
				_ = on.Close()
			}
			if diff := cmp.Diff(want, notes); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}
