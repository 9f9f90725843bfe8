// Package locks waits for locks and tells whether anybody holds them: those that
// cortex takes on files of its cache ([File]), and those of git on a ref that
// cortex alone moves ([OfRef]). A lock is waited for as long as the caller says,
// and taken away only when no process can hold it: what the system does not tell
// counts as held.
package locks
