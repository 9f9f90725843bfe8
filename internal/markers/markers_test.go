package markers

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestBlock(t *testing.T) {
	b := Block{Name: "attributes", Body: "x merge=union\n"}
	for _, tc := range []struct{ before, after string }{
		{"", "# >>> cortex attributes >>>\nx merge=union\n# <<< cortex attributes <<<\n"},
		{"a\n", "a\n# >>> cortex attributes >>>\nx merge=union\n# <<< cortex attributes <<<\n"},
		{"a", "a\n# >>> cortex attributes (new line) >>>\nx merge=union\n# <<< cortex attributes <<<\n"},
		{
			"a\r\nb",
			"a\r\nb\r\n# >>> cortex attributes (new line) >>>\r\nx merge=union\r\n# <<< cortex attributes <<<\r\n",
		},
	} {
		got, err := Insert([]byte(tc.before), b)
		if err != nil || string(got) != tc.after {
			t.Errorf("%q: got %q, %v", tc.before, got, err)
		}
	}
	if got, _ := Insert(nil, b); !strings.Contains(string(got), "(new file)") {
		t.Errorf("missing file: %q", got)
	}
	for _, broken := range []string{
		b.begin(""), b.end(), b.end() + "\n" + b.begin(""), strings.Repeat(string(b.text("", "\n")), 2),
	} {
		if got, err := Insert([]byte(broken), b); !errors.Is(err, ErrDamaged) || string(got) != broken {
			t.Errorf("%q: got %q, %v", broken, got, err)
		}
		if got, err := Remove([]byte(broken), b); !errors.Is(err, ErrDamaged) || string(got) != broken {
			t.Errorf("%q: got %q, %v", broken, got, err)
		}
	}
}

// TestBlockRestores inserts and removes blocks in random files, with random
// line ends, and with lines added around the block meanwhile.
func TestBlockRestores(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 3000 {
		var data []byte
		if rng.IntN(10) > 0 {
			data = []byte{}
			for range rng.IntN(6) {
				data = append(data, []string{
					"#!/bin/sh", "a", "", "\n", "\r\n", "\n", "\r", "# c", "b c\n",
				}[rng.IntN(9)]...)
			}
		}
		b := Block{
			Name: "x", Top: rng.IntN(2) == 0,
			Body: []string{"", "one\n", "one\ntwo"}[rng.IntN(3)],
		}
		if rng.IntN(2) == 0 {
			b.Open, b.Close = "<!--", "-->"
		}
		with, err := Insert(data, b)
		if err != nil {
			t.Fatalf("seed %d: inserting into %q: %v", seed, data, err)
		}
		again := b
		again.Body = "three\nfour\n"
		with, err = Insert(with, again)
		if err != nil {
			t.Fatalf("seed %d: inserting again into %q: %v", seed, with, err)
		}
		if body, ok := Body(with, b); !ok || body != again.Body {
			t.Fatalf("seed %d: body %q, %v", seed, body, ok)
		}
		back, err := Remove(with, b)
		if err != nil || (back == nil) != (data == nil) || !bytes.Equal(back, data) {
			t.Fatalf("seed %d: %q came back as %q, %v", seed, data, back, err)
		}
		more, err := Remove(append(bytes.Clone(with), "more\n"...), b)
		if err != nil || !strings.HasSuffix(string(more), "more\n") || !strings.HasPrefix(string(more), string(data)) {
			t.Fatalf("seed %d: %q with more came back as %q, %v", seed, data, more, err)
		}
	}
}
