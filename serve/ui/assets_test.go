package ui

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"regexp"
	"strings"
	"testing"
)

// maxWeight bounds what all assets together weigh on the wire, compressed, in bytes.
const maxWeight = 250 << 10

// TestAssets: what others wrote is what assets/README.md says it is, with its
// licence beside it, and everything together stays light.
func TestAssets(t *testing.T) {
	readme, err := os.ReadFile("assets/README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\|.*`(LICENSE[^`]+)` \\| `([0-9a-f]{64})` \\|$").FindAllStringSubmatch(string(readme), -1)
	listed := map[string]bool{}
	for _, row := range rows {
		listed[row[1]] = true
		data, err := asset(row[1])
		if err != nil {
			t.Error(err)
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != row[3] {
			t.Errorf("%s is not what was published: its checksum is %x", row[1], sum)
		}
		if _, err := os.Stat("assets/" + row[2]); err != nil {
			t.Errorf("%s: %v", row[1], err)
		}
	}
	all, err := assets.ReadDir("assets")
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for _, f := range all {
		name := strings.TrimSuffix(f.Name(), ".gz")
		data, err := asset(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = z.Write(data)
		if strings.HasSuffix(name, ".min.js") && !listed[name] {
			t.Errorf("%s is from others and not listed in assets/README.md", name)
		}
	}
	_ = z.Close()
	if packed.Len() > maxWeight {
		t.Errorf("all assets weigh %d bytes, more than %d", packed.Len(), maxWeight)
	}
}
