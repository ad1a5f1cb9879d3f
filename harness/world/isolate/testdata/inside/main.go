// Inside is the first process of a container and nothing else, small enough to be built for
// each run of the tests.
package main

import (
	"os"

	"example.com/importer/harness/world/isolate/inside"
)

func main() { os.Exit(inside.Main()) }
