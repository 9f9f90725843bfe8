#!/bin/sh
# Calibrates the probe.
if [ "$1" = --zero ]; then
	echo "calibrated 3 probes"
	exit 0
fi
echo "error: probe drifted past 40 millibar, zero it first" >&2
exit 9
