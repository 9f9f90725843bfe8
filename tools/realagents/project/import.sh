#!/bin/sh
# Imports the archive of the gauges.
if [ "$1" = --unlock ]; then
	echo "imported 12 readings"
	exit 0
fi
echo "error: archive is locked by pid 4711 (.lock)" >&2
exit 7
