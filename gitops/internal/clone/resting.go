package clone

import "strings"

// restingPreCommit is the lines of the hook pre-commit, around a call of cortex. Where cortex left word
// that it has nothing to do as long as some files stay as they are, they look at these files, ask
// git whether anything is staged below .cortex, and start no cortex: that costs more than the commit.
// What they read is described in docs/behaviour.md, "Git rules". They are for every POSIX shell.
const restingPreCommit = `cortex_dir=${GIT_INDEX_FILE-}; cortex_dir=${cortex_dir%/*}/cortex
cortex_rests() {
	IFS= read -r cortex_at <"$cortex_dir/turn" || return 1
	while IFS= read -r cortex_file && IFS= read -r cortex_want; do
		case $cortex_want in
		"is not newer") [ "$cortex_file" -nt "$cortex_dir/resting" ] && return 1; continue ;;
		"is in the future") : >"$cortex_dir/now" && [ "$cortex_file" -nt "$cortex_dir/now" ] || return 1; continue ;;
		"is HEAD") cortex_want=$cortex_at ;;
		esac
		cortex_is=; [ ! -e "$cortex_file" ] || IFS= read -r cortex_is <"$cortex_file"
		[ "$cortex_is" = "$cortex_want" ] || return 1
	done <"$cortex_dir/resting"
	[ "$cortex_file" = end ] && GIT_NO_LAZY_FETCH=1 git diff --cached --quiet --no-ext-diff HEAD -- .cortex &&
		echo "$PPID" >"$cortex_dir/turn"
}
cortex_rests 2>/dev/null || {
	CALL
	{
		IFS= read -r cortex_at <"$cortex_dir/turn" && [ "$cortex_at" = settled ] &&
			echo "$PPID" >"$cortex_dir/turn"
	} 2>/dev/null || :
}`

// restingPostCommit is the same of post-commit. There is nothing to do after a commit before which
// cortex had nothing to do, if nothing was staged since. $PPID tells that it is the same git commit.
const restingPostCommit = `cortex_dir=${GIT_INDEX_FILE-}; cortex_dir=${cortex_dir%/*}/cortex
cortex_rests() {
	IFS= read -r cortex_at <"$cortex_dir/turn" && [ "$cortex_at" = "$PPID" ] &&
		[ ! "${GIT_INDEX_FILE-}" -nt "$cortex_dir/turn" ] &&
		IFS= read -r cortex_file <"$cortex_dir/resting" && IFS= read -r cortex_at <"$cortex_file" &&
		echo "$cortex_at" >"$cortex_dir/turn"
}
cortex_rests 2>/dev/null || CALL`

// restingCall is the lines of a hook around its call of cortex.
func restingCall(name, call string) string {
	around := restingPreCommit
	if name == "post-commit" {
		around = restingPostCommit
	}
	return strings.ReplaceAll(around, "CALL", call)
}
