package ui

import (
	"fmt"
	"net"
	"net/netip"
	"os"
)

// ownListener takes no connection from programs of other users of this machine. A page of
// theirs on another port is sent our cookie, as browsers keep
// cookies apart by host alone. Root may do everything anyway. Where the system does not
// say whose a connection is, the token has to do.
type ownListener struct {
	net.Listener
	peer func(client, server netip.AddrPort) (uid int, ok bool)
	uid  int
	note func(line string) // may be nil
	told map[int]bool      // of which users
}

func newOwnListener(on net.Listener, note func(string)) *ownListener {
	return &ownListener{Listener: on, peer: peerOf, uid: os.Geteuid(), note: note, told: map[int]bool{}}
}

// Accept returns the next connection from a program of the same user. It is for one
// goroutine at a time.
func (l *ownListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		uid, ok := l.peer(addrPort(c.RemoteAddr()), addrPort(c.LocalAddr()))
		if !ok || l.mayAsk(uid) {
			return c, nil
		}
		_ = c.Close()
		l.tell(uid)
	}
}

// mayAsk reports whether a user may see the pages: the own one, and whoever can see all anyway.
func (l *ownListener) mayAsk(uid int) bool { return uid == l.uid || uid == 0 || l.uid == 0 }

// tell notes once that another user was refused.
func (l *ownListener) tell(uid int) {
	if l.note != nil && !l.told[uid] {
		l.told[uid] = true
		l.note(fmt.Sprintf("a program of another user (%d) asked for the pages and was refused", uid))
	}
}

func addrPort(a net.Addr) netip.AddrPort {
	if tcp, ok := a.(*net.TCPAddr); ok {
		return tcp.AddrPort()
	}
	return netip.AddrPort{}
}
