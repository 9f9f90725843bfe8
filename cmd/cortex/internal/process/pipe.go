package process

import (
	"fmt"
	"io"
	"time"
)

// ReadPipe reads a payload to its end, of a bounded size and within a time. A pipe knows no
// deadline, so it is read beside, and left behind when it does not end.
func ReadPipe(in io.Reader, most int64, patience time.Duration) ([]byte, error) {
	type read struct {
		data []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(in, most+1))
		done <- read{data, err}
	}()
	select {
	case r := <-done:
		switch {
		case r.err != nil:
			return nil, fmt.Errorf("reading the payload: %w", r.err)
		case int64(len(r.data)) > most:
			return nil, fmt.Errorf("the payload is over the limit of %d bytes", most)
		}
		return r.data, nil
	case <-time.After(patience):
		return nil, fmt.Errorf("the payload did not end within %s", patience)
	}
}
