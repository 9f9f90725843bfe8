package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// listener is an endpoint of embeddings that misbehaves, and counts who comes.
type listener struct {
	net.Listener
	came atomic.Int32
	done chan struct{} // closed when the script ends
}

// endpointKinds are the ways in which an endpoint treats a connection. One that is
// "gone" is not there at all.
func endpointKinds() map[string]func(*listener, net.Conn) {
	return map[string]func(*listener, net.Conn){
		"gone":      nil,
		"hangup":    func(*listener, net.Conn) {},
		"silent":    func(l *listener, _ net.Conn) { <-l.done },
		"trickling": trickle,
		"garbage":   func(_ *listener, c net.Conn) { answerConn(c, "200 OK", "<html>not what was asked for</html>") },
		"failing": func(_ *listener, c net.Conn) {
			answerConn(c, "503 Service Unavailable", `{"error": "the model is being loaded"}`)
		},
		"good": func(_ *listener, c net.Conn) { answerConn(c, "200 OK", "") },
	}
}

// trickle begins an answer that never ends, a byte at a time.
func trickle(l *listener, c net.Conn) {
	_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
	for {
		select {
		case <-l.done:
			return
		case <-time.After(10 * time.Millisecond):
		}
		if _, err := io.WriteString(c, " "); err != nil {
			return
		}
	}
}

// answerConn reads one request and answers it; "" stands for vectors of the texts.
func answerConn(c net.Conn, status, body string) {
	r, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return
	}
	var asked struct {
		Input []string `json:"input"`
	}
	if json.NewDecoder(r.Body).Decode(&asked) != nil {
		return
	}
	if body == "" {
		var list []string
		for i, text := range asked.Input {
			list = append(list, fmt.Sprintf(`{"index": %d, "embedding": [%d, %d, 1]}`, i, strings.Count(text, "e"), strings.Count(text, "s")))
		}
		body = `{"data": [` + strings.Join(list, ",") + `]}`
	}
	_, _ = fmt.Fprintf(c, "HTTP/1.1 %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", status, len(body), body)
}

// cmdEndpoint starts an endpoint that ends with the script, and puts its address
// into VAR.
func cmdEndpoint(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 2, "endpoint KIND VAR")
	serve, ok := endpointKinds()[args[0]]
	if !ok {
		ts.Fatalf("there is no endpoint that is %s", args[0])
	}
	open, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	l := &listener{Listener: open, done: make(chan struct{})}
	ts.Setenv(args[1], "http://"+l.Addr().String()+"/v1")
	endpoints(ts)[args[1]] = l
	if serve == nil {
		ts.Check(l.Close())
		return
	}
	ts.Defer(func() { close(l.done); _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			l.came.Add(1)
			go func() {
				serve(l, c)
				_ = c.Close()
			}()
		}
	}()
}

// cmdAsked fails unless so many connections came to the endpoint of VAR.
func cmdAsked(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 2, "asked VAR N")
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	l := endpoints(ts)[args[0]]
	if l == nil {
		ts.Fatalf("there is no endpoint %s", args[0])
	}
	if got := int(l.came.Load()); got != want {
		ts.Fatalf("it was asked %d times, not %d", got, want)
	}
}

// endpoints are those of a script, by variable.
func endpoints(ts *testscript.TestScript) map[string]*listener {
	return ts.Value(endpointsKey{}).(map[string]*listener)
}

type endpointsKey struct{}
