package stamp

import (
	"os"
	"path/filepath"
	"testing"
)

func TestStampSurvivesEncoding(t *testing.T) {
	want := Stamp{Size: 1 << 40, Modified: -1, Changed: 1700000000123456789, Inode: 1<<64 - 1}
	b := Append([]byte("xy"), &want)
	if len(b) != 2+EncodedSize {
		t.Fatalf("%d bytes", len(b)-2)
	}
	if got := At(string(b), 2); got != want {
		t.Errorf("At = %+v, want %+v", got, want)
	}
	if got := Read(string(b[2:])); got != want {
		t.Errorf("Read = %+v, want %+v", got, want)
	}
	if got := Read("short"); got != (Stamp{}) {
		t.Errorf("Read of five bytes = %+v", got)
	}
}

func TestRacy(t *testing.T) {
	tests := []struct {
		stamp Stamp
		at    int64
		want  bool
	}{
		{Stamp{Modified: 5}, 6, false},
		{Stamp{Modified: 6}, 6, true},
		{Stamp{Modified: 9, Changed: 5}, 6, false}, // a modification time of the future is set by hand
		{Stamp{Modified: 1, Changed: 6}, 6, true},  // and so is one of the past
	}
	for _, test := range tests {
		if got := test.stamp.Racy(test.at); got != test.want {
			t.Errorf("%+v at %d: racy = %v", test.stamp, test.at, got)
		}
	}
}

func TestOf(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	before, ok := Of(file)
	if !ok || before.Size != 0 || before.Modified == 0 {
		t.Fatalf("Of = %+v, %v", before, ok)
	}
	if _, err := file.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	if after, _ := Of(file); after.Size != 1 || after == before {
		t.Errorf("after writing: %+v", after)
	}
}
