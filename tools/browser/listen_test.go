package browser

import (
	"net"
	"net/http"
)

// listen serves on a free port, and says on which.
func listen(server *http.Server, ready chan<- string) error {
	on, err := net.Listen("tcp", server.Addr)
	if err != nil {
		close(ready)
		return err
	}
	ready <- "http://" + on.Addr().String()
	return server.Serve(on)
}
