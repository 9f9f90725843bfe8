package tree

// A [Watch] tells whether anything happened to folders and to the files in them, without a
// look at each. Add a folder before you look at it: then every change is either in what you
// see or counted afterwards. Of two that look, the one that comes second to a new folder
// learns from the count that it was not watched.
//
// A change is counted before the system call that makes it returns, whichever process makes
// it. Two kinds of change are not counted, and a program that must not miss them has to look
// at the files now and then: what is written through a memory map is counted when the map
// goes, and what is written through a hard link in another folder is not counted at all.
// Where nothing can be promised, on other systems than Linux and on file systems of other
// machines, there is no Watch. It is for one goroutine at a time.
