package lua

import (
	"embed"
	"fmt"

	"github.com/redis/go-redis/v9"
)

//go:embed scripts/*.lua
var files embed.FS

// Source is the text of scripts/<name>.lua.
func Source(name string) string {
	source, err := files.ReadFile("scripts/" + name + ".lua")
	if err != nil {
		panic(fmt.Sprintf("there is no script %q", name)) // embedded: the name in the code is wrong
	}
	return string(source)
}

// script can be run: by its digest first (EVALSHA), and with its source (EVAL) if Redis answers
// NOSCRIPT. That answer proves that nothing ran, so this repeat is safe, whatever the script does.
func script(name string) *redis.Script { return redis.NewScript(Source(name)) }
