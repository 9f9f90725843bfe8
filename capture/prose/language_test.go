package prose

import "testing"

func TestEnglish(t *testing.T) {
	for s, want := range map[string]bool{
		"":     true,
		"done": true,
		"We keep amounts as integers of cents, because sums of floats were off by one in the invoices.":              true,
		"Fix the El Niño model: la.py and le.py are read, y is the level.":                                           true,
		"gauge/read.go:12 level undefined":                                                                           true,
		"Die Pegel werden in Segmentdateien abgelegt, weil sie nicht verändert werden und das Backup einfach ist.":   false,
		"Les relevés sont dans des fichiers de segments, parce que nous ne les modifions pas et que c'est plus sûr.": false,
		"Los niveles se guardan en archivos por segmento, porque no cambian y la copia es más sencilla.":             false,
		"De standen worden in segmenten bewaard, omdat ze niet veranderen en het eenvoudig is voor de backup.":       false,
		"水位保存在分段文件中，因为它们不会改变。":                                                                                       false,
		"Уровни хранятся в сегментах, потому что они не меняются.":                                                   false,
		"レベルはセグメントに保存されます。":                                                                                          false,
		"Das API ist fertig; the rest of the work, which is to be done by us, is in the next release.":               true,
	} {
		if got := English(s); got != want {
			t.Errorf("English(%q) = %v", s, got)
		}
	}
}
