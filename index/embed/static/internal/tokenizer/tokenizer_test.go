package tokenizer

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// The tokens expected below are derived by hand from the published algorithms,
// with vocabularies small enough to follow; the steps are beside each.

func TestTokenizerWordPiece(t *testing.T) {
	tok := tokenizerOf(t, `{"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"},
		"model": {"type": "WordPiece", "unk_token": "[UNK]", "max_input_chars_per_word": 12, "vocab":
		{"[UNK]": 0, "un": 1, "##aff": 2, "##able": 3, "##a": 4, "hello": 5, ",": 6, "world": 7, "##s": 8, "中": 9, "cafe": 10, "aff": 11, "+": 12}}}`)
	for text, want := range map[string][]int32{
		"unaffable":       {1, 2, 3},      // longest first: un, then ##aff before ##a, then ##able
		"unaffablex":      {},             // ##x is missing, so the whole word is unknown, and unknown is dropped
		"aff":             {11},           // at the start of a word without ##
		"Hello, WORLDS":   {5, 6, 7, 8},   // lower case; the comma is set apart; world + ##s
		"hello++world":    {5, 12, 12, 7}, // every mark by itself
		"Café":            {10},           // é is e and a mark, which is dropped
		"中中":              {9, 9},         // ideographs are set apart
		"wor\u00adld":     {7},            // a soft hyphen is a format character
		"hello\tworld\n":  {5, 7},
		"hellohellohello": {}, // longer than 12
		"":                {},
		"\xffhello":       {5}, // becomes U+FFFD, which is dropped
	} {
		checkTokens(t, tok, text, want)
	}
}

func TestTokenizerUnigram(t *testing.T) {
	tok := tokenizerOf(t, `{"pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
		"model": {"type": "Unigram", "unk_id": 0, "vocab":
		[["<unk>", 0], ["▁", -3], ["a", -2], ["b", -2], ["ab", -3], ["▁a", -2.5], ["▁ab", -6], ["abb", -10], ["c", -1], ["cc", -2]]}}`)
	for text, want := range map[string][]int32{
		"ab":   {5, 3},       // ▁a b −4.5; ▁ab −6; ▁ ab −6
		"abb":  {5, 3, 3},    // ▁a b b −6.5; ▁ab b −8; ▁ ab b −8; ▁ abb −13
		"b ab": {1, 3, 5, 3}, // words apart, each with the blank before it
		"xa":   {1, 2},       // x is unknown (−10 − 10): ▁ x a; unknown is dropped
		"cc":   {1, 9},       // cc −2 and c c −2 are equal: the longer last token
	} {
		checkTokens(t, tok, text, want)
	}
}

// TestTokenizerMultiword has the parts of a file that model2vec 0.5 to 0.7 wrote
// for a teacher of the BERT family: words are not split before the model, so that
// tokens may hold several.
func TestTokenizerMultiword(t *testing.T) {
	tok := tokenizerOf(t, `{"normalizer": {"type": "Sequence", "normalizers": [{"type": "BertNormalizer"},
			{"type": "Replace", "pattern": {"String": ","}, "content": " , "},
			{"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "},
			{"type": "Strip", "strip_left": false, "strip_right": true}]},
		"pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": false},
		"model": {"type": "Unigram", "unk_id": 0, "vocab":
		[["[UNK]", -9], ["▁new", -3], ["▁york", -3], ["▁new▁york", -4], ["▁,", -2], ["▁city", -3]]}}`)
	for text, want := range map[string][]int32{
		"New York":           {3},       // −4 against −6
		"new  york,\tcity\n": {3, 4, 5}, // the comma is set apart, white space is one blank, none at the end
		"York, New":          {2, 4, 1},
		"new city new york":  {1, 5, 3},
	} {
		checkTokens(t, tok, text, want)
	}
}

func TestTokenizerAddedTokens(t *testing.T) {
	tok := tokenizerOf(t, `{"added_tokens": [{"id": 3, "content": "<x>"}, {"id": 4, "content": "<x>y"}, {"id": 5, "content": "foo", "normalized": true, "single_word": true},
		{"id": 6, "content": "<m>", "lstrip": true, "rstrip": true}],
		"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"},
		"model": {"type": "WordPiece", "unk_token": "u", "vocab": {"u": 0, "a": 1, "b": 2, "foox": 7}}}`)
	checkTokens(t, tok, "a<x>A", []int32{1, 3, 1})
	checkTokens(t, tok, "a<x>y", []int32{1, 4}) // the longer one
	checkTokens(t, tok, "<X>", []int32{})       // found before lower-casing only
	checkTokens(t, tok, "a|FOO", []int32{1, 5}) // found after lower-casing
	checkTokens(t, tok, "FOOX", []int32{7})     // part of a word
	checkTokens(t, tok, "a  <m>  a", []int32{1, 6, 1})
	if tok.size != 8 {
		t.Errorf("size %d", tok.size)
	}
}

func TestTokenizerLimit(t *testing.T) {
	tok := tokenizerOf(t, `{"pre_tokenizer": {"type": "WhitespaceSplit"}, "model": {"type": "WordPiece", "unk_token": "u", "vocab": {"u": 0, "a": 1, "b": 2}}}`)
	if got := tok.Encode("a x b x a b", 3, []int32{9}); !cmp.Equal(got, []int32{9, 1, 2, 1}) {
		t.Errorf("got %v", got)
	}
}

func TestTokenizerSplits(t *testing.T) {
	for _, c := range []struct {
		part, text string
		want       []string
	}{
		{`{"type": "Metaspace"}`, "Hey  friend", []string{"▁Hey", "▁", "▁friend"}},
		{`{"type": "Metaspace", "add_prefix_space": false, "split": false}`, "a b", []string{"a▁b"}},
		{`{"type": "BertPreTokenizer"}`, "a-b  c。", []string{"a", "-", "b", "c", "。"}},
		{`{"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Metaspace", "prepend_scheme": "first"}]}`, "a b", []string{"▁a", "b"}},
	} {
		var p tokenizerPart
		if err := json.Unmarshal([]byte(c.part), &p); err != nil {
			t.Fatal(err)
		}
		splits, err := newSplitters(&p)
		if err != nil {
			t.Errorf("%s: %v", c.part, err)
			continue
		}
		got := []string{c.text}
		for _, s := range splits {
			got = s(got, true)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s of %q (-want +got):\n%s", c.part, c.text, diff)
		}
	}
}

func TestTokenizerNormalisers(t *testing.T) {
	charsmap, _ := json.Marshal(compileCharsmap(map[string]string{"ﬁ": "fi", "ａ": "a", "e": "E"}))
	for _, c := range []struct{ part, text, want string }{
		{`{"type": "BertNormalizer", "lowercase": false}`, "É\x00中\u200b", "É 中 "},
		{`{"type": "BertNormalizer", "handle_chinese_chars": false, "strip_accents": false}`, "É中", "é中"},
		{`{"type": "Strip", "strip_left": false}`, " a ", " a"},
		{`{"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}`, "a\u00a0\n b", "a b"},
		{`{"type": "Replace", "pattern": {"String": "."}, "content": " . "}`, "a.b", "a . b"},
		{`{"type": "Precompiled", "precompiled_charsmap": ` + string(charsmap) + `}`, "ﬁxａ", "fixa"},
		// A character and its mark are one piece; the shortest key it begins with stands for all of it.
		{`{"type": "Precompiled", "precompiled_charsmap": ` + string(charsmap) + `}`, "e\u0301x", "Ex"},
	} {
		var p tokenizerPart
		if err := json.Unmarshal([]byte(c.part), &p); err != nil {
			t.Fatal(err)
		}
		list, err := newNormalisers(&p)
		if err != nil {
			t.Errorf("%s: %v", c.part, err)
			continue
		}
		got := c.text
		for _, n := range list {
			got = n(got)
		}
		if got != c.want {
			t.Errorf("%s of %q is %q, want %q", c.part, c.text, got, c.want)
		}
	}
}

func TestTokenizerRefuses(t *testing.T) {
	for _, text := range []string{
		``, `[]`, `{}`, `{"model": null}`, `{"model": {"type": "WordPiece"}}`, `{"model": {"type": "Banana", "vocab": {"a": 0}}}`,
		`{"model": {"type": "Unigram", "vocab": {"a": 0}}}`, `{"model": {"type": "WordPiece", "vocab": [["a", 0]]}}`,
		`{"model": {"type": "WordPiece", "vocab": {"a": -1}}}`, `{"model": {"type": "WordPiece", "vocab": {"a": 99999999}}}`,
		`{"model": {"type": "Unigram", "unk_id": 5, "vocab": [["a", 0]]}}`, `{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}`,
		`{"model": {"vocab": {"a": 0}, "merges": []}}`, `{"model": {"type": "WordLevel", "unk_token": "x", "vocab": {"x": 0}}}`,
		`{"model": {"type": "Unigram", "byte_fallback": true, "vocab": [["a", 0]]}}`,
		`{"pre_tokenizer": {"type": "ByteLevel"}, "model": {"type": "WordPiece", "vocab": {"a": 0}}}`,
		`{"pre_tokenizer": {"type": "Whitespace"}, "model": {"type": "WordPiece", "vocab": {"a": 0}}}`,
		`{"normalizer": {"type": "NFKC"}, "model": {"type": "WordPiece", "vocab": {"a": 0}}}`,
		`{"normalizer": {"type": "Banana"}, "model": {"type": "WordPiece", "vocab": {"a": 0}}}`,
		`{"normalizer": {"type": "Precompiled", "precompiled_charsmap": "/////w=="}, "model": {"type": "WordPiece", "vocab": {"a": 0}}}`,
		`{"normalizer": {"type": "Replace", "pattern": {"Regex": "(?<=a)b"}, "content": ""}, "model": {"type": "WordPiece", "vocab": {"a": 0}}}`,
		`{"added_tokens": [{"id": -4, "content": "x"}], "model": {"type": "WordPiece", "vocab": {"a": 0}}}`,
		`{"model": {"type": "WordPiece", "vocab": {"a": 0}}`, `{"x": ` + strings.Repeat("[", 1000) + `}`,
	} {
		if tok, err := Parse([]byte(text)); err == nil {
			t.Errorf("%.80s: taken as %+v", text, tok)
		}
	}
}

func tokenizerOf(t testing.TB, text string) *Tokenizer {
	t.Helper()
	tok, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

func checkTokens(t *testing.T, tok *Tokenizer, text string, want []int32) {
	t.Helper()
	if got := tok.Encode(text, 1000, []int32{}); !cmp.Equal(want, got) {
		t.Errorf("%q gives %v, want %v", text, got, want)
	}
}

// compileCharsmap makes the double array of a compiled normaliser: each node
// has a block of 256 units for its children, whose first is its own value.
func compileCharsmap(table map[string]string) []byte {
	var text []byte
	blocks := map[string]uint32{"": 1}
	values := map[string]uint32{}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		for i := 1; i <= len(key); i++ {
			if blocks[key[:i]] == 0 {
				blocks[key[:i]] = uint32(len(blocks) + 1)
			}
		}
		values[key] = uint32(len(text))
		text = append(text, table[key]+"\x00"...)
	}
	units := make([]uint32, 256*(len(blocks)+1))
	units[0] = 256 << 10
	for prefix, block := range blocks {
		if prefix == "" {
			continue
		}
		label := uint32(prefix[len(prefix)-1])
		at := blocks[prefix[:len(prefix)-1]]*256 ^ label
		units[at] = (at^block*256)<<10 | label
		if v, ok := values[prefix]; ok {
			units[at] |= 1 << 8
			units[block*256] = 1<<31 | v
		}
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(4*len(units)))
	for _, u := range units {
		out = binary.LittleEndian.AppendUint32(out, u)
	}
	return append(out, text...)
}

// FuzzTokenizer: whatever a tokenizer.json holds is taken or refused, and what
// is taken encodes any text into tokens below its size.
func FuzzTokenizer(f *testing.F) {
	for _, model := range []string{
		`{"type": "WordPiece", "unk_token": "[UNK]", "vocab": {"[UNK]": 0, "a": 1, "##b": 2}}`,
		`{"type": "Unigram", "unk_id": 0, "byte_fallback": false, "vocab": [["<unk>", 0], ["▁", -3.5], ["a", -1e1]]}`,
		`{"vocab": {"\u0061\"": 0}}`,
	} {
		f.Add([]byte(fmt.Sprintf(`{"version": "1.0", "added_tokens": [{"id": 7, "content": "<s>", "lstrip": true}], "normalizer": {"type": "BertNormalizer"},
			"pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Metaspace"}]}, "model": %s}`, model)), "a ab <s> É\x00中")
	}
	charsmap, _ := json.Marshal(compileCharsmap(map[string]string{"ﬁ": "fi"}))
	f.Add([]byte(`{"normalizer": {"type": "Precompiled", "precompiled_charsmap": `+string(charsmap)+`}, "pre_tokenizer": {"type": "Metaspace"}, "model": {"vocab": {"a": 0}}}`), "a  ﬁ")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		if len(data) > 1<<16 || len(text) > 1<<10 {
			return
		}
		tok, err := Parse(data)
		if err != nil {
			return
		}
		for _, id := range tok.Encode(text, 64, nil) {
			if int(id) >= tok.size || id < 0 {
				t.Fatalf("token %d of %d", id, tok.size)
			}
		}
	})
}

// FuzzTokenizerJSON: our reader ends, and reads strings as encoding/json does.
func FuzzTokenizerJSON(f *testing.F) {
	f.Add(`{"a\n": ["\u00e9", 1.5e3, true, null, {}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		j := &jsonText{s: text}
		raw := j.skip()
		if j.err != nil || !strings.HasPrefix(raw, `"`) || !utf8.ValidString(raw) {
			return
		}
		got := (&jsonText{s: raw}).text()
		var want string
		if err := json.Unmarshal([]byte(raw), &want); err != nil || got != want {
			t.Fatalf("%q read as %q, want %q, %v", raw, got, want, err)
		}
	})
}

func BenchmarkTokenizerOpen(b *testing.B) {
	var vocab strings.Builder
	for i := range 30000 {
		fmt.Fprintf(&vocab, "%q:%d,", fmt.Sprintf("##tok%d", i*7919), i+1)
	}
	data := []byte(`{"model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": {` + vocab.String() + `"[UNK]": 0}}}`)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}
