//go:build !race

package main

const scriptsUnderRace = ""
