package words

import (
	"strings"
	"sync"
)

// IsEveryday reports whether a folded word belongs to those that people use of
// anything, such as "seems", "please" or "another". It says little of what a text
// is about, however rare it is among the texts at hand. Names of things are not
// among them, common as some are.
func IsEveryday(term string) bool { return everydayWords()[term] }

var everydayWords = sync.OnceValue(func() map[string]bool {
	const text = `able above absolutely accept according accordingly across actual actually add added adding additional additionally
address admit advance afraid after afterwards again against ago agree agreed ahead aim allow allowed allows almost alone along
already alright also alternative alternatively although altogether always amount another answer anybody anyhow anymore anyone
anything anyway anywhere apart apparent apparently appear appears apply appreciate approach appropriate around arrive aside ask
asked asking assume assuming assumption attention available avoid aware away awesome back bad badly based basic basically bear
became become becomes before began begin beginning begins begun behave behind believe below benefit beside besides best bet better
between beyond big bigger bit both bother bottom break bring bringing brings broad brought bunch busy call called calling calls
came cannot care careful carefully carry case cases catch cause caused causes certain certainly chance change changed changes
changing check checked checking checks choice choose chosen clear clearly close closely closer come comes coming common commonly
compare compared comparison complete completed completely concern concerned concerning concerns confident confirm confirmed
confirms confused confusing consider considered considering consistent constantly contain containing contains continue continued
continues contrary correct corrected correctly corresponding cost couple course cover covered covers create created creates creating
curious current currently cut day days deal decide decided deep deeper definitely depend depending depends deserve despite detail
detailed details determine did didnt differ difference differences different differently difficult directly discuss discussed
discussing discussion doesnt done down drop due during each earlier early easier easily easy effectively effort either else
elsewhere encounter end ended ending ends enjoy enough ensure ensures entire entirely equal especially essentially etc even
eventually ever every everybody everyone everything everywhere exact exactly example examples excellent except expect expected
expects experience explain explained explanation explicit explicitly extra extremely face fact facts fail failed failing fails
fair fairly fall fallen familiar far fast faster favor feel feeling feels felt few fewer figure fill final finally find finding
finds fine finish finished first firstly fit fits five fix fixed fixes fixing follow followed following follows forget forgot
form former forth forward found four free fresh full fully further furthermore future gave general generally get gets getting
give given gives giving glad go goal goes going gone gonna good got gotten great grow guess guys half hand handle handled handles
handling happen happened happening happens happy hard harder hardly havent head hear heard heavy held hello help helped helpful
helping helps hence hey high higher hit hold holds hope hopefully hour hours however huge hundred idea ideal ideally ideas
identify ill im imagine immediate immediately impact implies important impression include included includes including incorrect
increase indeed indicate indicates individual info inform information initial initially inside instead intend intended intent
interested interesting introduce introduced involve involved involves isnt issue issues itself ive job join jump keep keeping
keeps kept kind kinds knew know knowing known knows lack large larger last lastly late lately later latter lead leads learn
learned least leave leaves leaving led left less let lets letting level life like liked likely limited line list listed little
live lives long longer look looked looking looks lose lost lot lots love low lower luck made main mainly major make makes making
manage manner many mark matter matters may maybe mean meaning means meant meanwhile mention mentioned mentions mere merely method
might mind mine minor minute minutes miss missed missing mistake moment month months more moreover most mostly mouth move moved
moving much must myself name named namely near nearly necessarily necessary need needed needs neither never nevertheless new newly
next nice nine nobody none nonetheless noone normal normally note noted notes nothing notice noticed noticing now nowhere number
numbers numerous obvious obviously occur occurred occurs odd off offer offers often oh ok okay old older once one ones only onto
open opened opening opens opinion opportunity opposed option options order ordinary original originally other others otherwise
ought ourselves outcome outside overall part particular particularly parts pass passed passes passing past pay people perfect
perfectly perform perhaps person pick picked picking picture piece pieces place placed places plain plan planned planning plans
play plenty plus point pointed pointing points poor position possibilities possibility possible possibly potential potentially
prefer preferred prepare present presumably pretty prevent prevented prevents previous previously prior probably problem problems
proceed process produce produced produces proper properly propose proposed provide provided provides providing purpose put puts
putting question questions quick quickly quite raise raised rarely rather reach reached reaches read reading ready real realise
realistic reality realize really reason reasonable reasonably reasons receive received receiving recent recently recognise
recommend recommended reconsider refer referred referring refers regard regarding regardless regards related relates relating
relation relatively relevant remain remaining remains remember remembered remind repeat repeated replace replaced replaces
request requested require required requires respect respectively respond rest result resulted resulting results return returned
returns right rise risk role rough roughly round run running runs safe safely said same saw say saying says scope screenshot
screenshots second secondly seconds section see seeing seem seemed seeming seems seen self send sends sense sensible sent separate
separately serious seriously set sets setting seven several shall shape share show showed showing shown shows shortly shot
shouldnt side sides significant significantly similar similarly simple simpler simplest simply since single sit situation six size
slight slightly slow slower slowly small smaller smart solid solution solutions solve solved somebody somehow someone something
sometime sometimes somewhat somewhere soon sorry sort sorted sorts sound sounds speak special specific specifically specified
specify spend spent spot stage stand start started starting starts state stated states stay stays step steps stick still stop
stopped stops story straight straightforward strange strategy strictly strong stuff subject subsequent subsequently success
successful successfully sudden suddenly suffice sufficient sufficiently suggest suggested suggestion suggestions suggests suitable
suits summary supply support supported supports suppose supposed supposedly sure surely surprise surprised surprising switch
switched table take taken takes taking talk talked talking talks task tasks tell telling tells ten tend term terms test tested
testing than thank thanks thats themselves thereby therefore theres thing things think thinking thinks third thorough thoroughly
though thought thoughts thousand three through throughout thus till time times title today together told tomorrow tonight took
top total totally touch touched toward towards track tradeoff treat treated tried tries trivial trouble true truly try trying
turn turned turning turns twice two type typical typically unclear underlying understand understanding understood unexpected
unfortunately unless unlike unlikely unnecessary unrelated unsure update updated updates updating upon use used useful uses using
usual usually valid value values various vary verify version versus via view wait waiting waits walk wanna want wanted wanting
wants warrant wasnt watch way ways weeks week weird welcome well went werent whatever whats whenever whereas wherever whether
whichever whoever whole widely willing wish within without wonder wondering wont word worded words work worked working works world
worried worry worse worst worth worthwhile wouldnt wrap write writes writing written wrong wrote yeah year years yep yes yesterday
yet youre yourself youve`
	words := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		words[w] = true
	}
	return words
})
