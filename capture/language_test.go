package capture

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
)

// spokenIn is a session in one language: what the user asks, a question with its
// options, what the agent says, a tag, a plan, and a command that fails.
type spokenIn struct {
	prompt, question, header string
	options                  [2][2]string // label and description; the first is chosen
	agent, tagged            string
	plan                     string
	failed, works, output    string
}

func languages() map[string]spokenIn {
	return map[string]spokenIn{
		"German": {
			"Wie speichern wir die Pegel, und was wird aus den alten Dateien?", "Womit sollen die Pegelstände gespeichert werden?", "Ablage",
			[2][2]string{{"Segmentdateien", "nur anhängen, einfach zu sichern"}, {"SQLite", "eine Datenbank mit dreißig Modulen"}},
			"Die Pegel werden nun in Segmentdateien abgelegt, weil sie nicht mehr verändert werden und die Sicherung einfach ist.",
			"Segmente heißen nach dem Tag in UTC, nicht nach Ortszeit.",
			"# Ablage in Segmenten\n\nWir legen die Pegel in Segmenten ab und lesen alte Dateien weiter.\n\n1. Schreiber bauen\n2. Leser umstellen\n",
			"messwerk export --tage 3 pegel.csv", "messwerk export --zeitraum 3 pegel.csv", "messwerk: Unbekannte Option --tage",
		},
		"French": {
			"Comment gardons-nous les relevés, et que faire des anciens fichiers ?", "Où faut-il garder les relevés ?", "Stockage",
			[2][2]string{{"Fichiers de segments", "ajout seul, simple à sauvegarder"}, {"SQLite", "une base avec trente modules"}},
			"Les relevés sont maintenant dans des fichiers de segments, parce que nous ne les modifions plus et que la sauvegarde est simple.",
			"Les segments portent le jour en UTC, pas le jour local.",
			"# Segments\n\nNous gardons les relevés dans des segments et lisons encore les anciens fichiers.\n\n1. Écrire les segments\n2. Adapter la lecture\n",
			"jauge exporter --jours 3 releves.csv", "jauge exporter --periode 3 releves.csv", "jauge : option inconnue --jours",
		},
		"Spanish": {
			"¿Cómo guardamos los niveles y qué hacemos con los archivos viejos?", "¿Dónde se guardan los niveles?", "Almacén",
			[2][2]string{{"Archivos por segmento", "solo se añade, fácil de copiar"}, {"SQLite", "una base con treinta módulos"}},
			"Los niveles se guardan ahora en archivos por segmento, porque ya no cambian y la copia es más sencilla.",
			"Los segmentos llevan el día en UTC, no el día local.",
			"# Segmentos\n\nGuardamos los niveles en segmentos y seguimos leyendo los archivos viejos.\n\n1. Escribir segmentos\n2. Cambiar la lectura\n",
			"nivel exportar --dias 3 niveles.csv", "nivel exportar --periodo 3 niveles.csv", "nivel: opción desconocida --dias",
		},
		"Chinese": {
			"我们怎样保存水位，旧文件怎么办？", "水位应该保存在哪里？", "存储",
			[2][2]string{{"分段文件", "只追加，备份简单"}, {"SQLite", "有三十个模块的数据库"}},
			"水位现在保存在分段文件中，因为它们不再改变，备份也很简单。旧文件仍然可以读取。",
			"分段文件按 UTC 日期命名，而不是当地日期。",
			"# 分段存储\n\n我们把水位保存在分段中，并继续读取旧文件。\n\n1. 编写分段\n2. 修改读取\n",
			"shuiwei daochu --tian 3 a.csv", "shuiwei daochu --qijian 3 a.csv", "shuiwei: 未知选项 --tian",
		},
	}
}

// transcriptOf is the session as Claude Code writes it.
func transcriptOf(s spokenIn) string {
	var b strings.Builder
	add := func(kind, content string, more ...string) {
		n := strings.Count(b.String(), "\n")
		fmt.Fprintf(&b, `{"parentUuid":null,"isSidechain":false,"userType":"external","type":%q,"uuid":"u%d","sessionId":"s-1","cwd":"/r","timestamp":"2026-03-02T09:00:%02dZ","message":{"role":%q,"content":%s}%s}`+"\n",
			kind, n, n%60, kind, content, strings.Join(more, ""))
	}
	call := func(id, name string, input any) {
		add("assistant", fmt.Sprintf(`[{"type":"tool_use","id":%q,"name":%q,"input":%s}]`, id, name, jsonOf(input)))
	}
	result := func(id, output string, failed bool, more ...string) {
		add("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":%q,"is_error":%v,"content":%s}]`, id, failed, jsonOf(output)), more...)
	}
	add("user", jsonOf(s.prompt))
	var options []map[string]string
	for _, o := range s.options {
		options = append(options, map[string]string{"label": o[0], "description": o[1]})
	}
	questions := []any{map[string]any{"question": s.question, "header": s.header, "options": options}}
	call("q", "AskUserQuestion", map[string]any{"questions": questions})
	result("q", "User has answered your questions: …", false,
		`,"toolUseResult":`+jsonOf(map[string]any{"questions": questions, "answers": map[string]string{s.question: s.options[0][0]}}))
	call("p", "ExitPlanMode", map[string]any{"plan": s.plan})
	result("p", "User has approved your plan. You can now start coding.", false)
	call("f", "Bash", map[string]any{"command": s.failed})
	result("f", "Exit code 2\n"+s.output, true)
	call("w", "Bash", map[string]any{"command": s.works})
	result("w", "ok", false)
	add("assistant", `[{"type":"text","text":`+jsonOf(s.agent+"\n\n[MEMORY: gotcha] "+s.tagged)+`}]`)
	return b.String()
}

func jsonOf(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// TestLanguages: answers, tags, plans and recipes are found in any language; the
// record says how much the English patterns did not read, however often it is
// read.
func TestLanguages(t *testing.T) {
	for name, s := range languages() {
		t.Run(name, func(t *testing.T) {
			data := []byte(transcriptOf(s))
			res := capture(t, data, Options{})
			said := map[session.Layer]string{}
			for _, m := range res.held() {
				said[session.Layer(m.Source.Layer)] += m.Title + "\n" + m.Text + "\n"
			}
			plan, _, _ := strings.Cut(strings.TrimPrefix(s.plan, "# "), "\n")
			for layer, words := range map[session.Layer]string{
				session.LayerAnswer: s.options[0][0], session.LayerTag: s.tagged[:12], session.LayerRecipe: s.works, session.LayerStructure: plan,
			} {
				if !strings.Contains(said[layer], words) {
					t.Errorf("layer %s: %q is not in %q", layer, words, said[layer])
				}
			}
			if x := said[session.LayerPattern]; x != "" {
				t.Errorf("a pattern read %q", x)
			}
			if n := res.Session.NotEnglish; n != 2 {
				t.Errorf("the record says that %d messages were not read, want 2", n)
			}
			if record := string(session.Format(res.Session)); !strings.Contains(record, "\nnot_english: 2\n") {
				t.Errorf("the record does not say it:\n%s", record)
			}
			again := capture(t, data, Options{Previous: res.Session, Earlier: res.Memories()})
			if again.Session.NotEnglish != 2 {
				t.Errorf("read again, the record says %d", again.Session.NotEnglish)
			}
		})
	}
}

// TestNoUserWords: a session in which no person speaks is read like any other.
func TestNoUserWords(t *testing.T) {
	lines := strings.SplitAfter(transcriptOf(languages()["German"]), "\n")
	res := capture(t, []byte(strings.Join(lines[5:], "")), Options{})
	var layers []string
	for _, m := range res.held() {
		layers = append(layers, m.Source.Layer)
	}
	slices.Sort(layers)
	if want := []string{"recipe", "tag"}; !slices.Equal(layers, want) || res.Turns != 0 || len(res.Session.Requests) != 0 {
		t.Errorf("%v in %d turns with the requests %v, want %v in none", layers, res.Turns, res.Session.Requests, want)
	}
}

// TestManyTurns: a session of ten thousand turns ends with the same ids in one
// piece and in many, and its record stays small.
func TestManyTurns(t *testing.T) {
	var b strings.Builder
	many := testrun.Rounds(1000, 10000)
	for i := range many {
		b.WriteString(claudeLine(2*i, "user", jsonOf(fmt.Sprintf("Read gauge %d of the north side.", i))))
		words := fmt.Sprintf("Gauge %d was read.", i)
		if i%(many/10) == 7 {
			words += fmt.Sprintf("\n\n[MEMORY: gotcha] Gauge %d stops at noon.", i)
		}
		b.WriteString(claudeLine(2*i+1, "assistant", jsonOf(words)))
	}
	data := []byte(b.String())
	whole := capture(t, data, Options{})
	if whole.Turns != many || len(whole.held()) < 10 {
		t.Fatalf("%d turns, %d memories", whole.Turns, len(whole.held()))
	}
	if n := len(session.Format(whole.Session)); n > 200<<10 {
		t.Errorf("the record has %d bytes", n)
	}
	ids := map[memory.ID]bool{}
	var previous *session.Session
	var earlier []*memory.Memory
	turns := 0
	for end := len(data) / 7; ; end = min(len(data), end+len(data)/7) {
		res := capture(t, data[:end], Options{Previous: previous, Earlier: earlier})
		for _, m := range res.held() {
			ids[m.ID] = true
			earlier = append(earlier, m)
		}
		for _, id := range res.Withdrawn {
			delete(ids, id)
		}
		previous, turns = res.Session, turns+res.Turns
		if end == len(data) {
			break
		}
	}
	for _, m := range whole.held() {
		if !ids[m.ID] {
			t.Errorf("%q is missing when it is read in pieces", m.Title)
		}
		delete(ids, m.ID)
	}
	if len(ids) > 0 || turns != many {
		t.Errorf("in pieces: %d turns, and these besides: %v", turns, ids)
	}
}
