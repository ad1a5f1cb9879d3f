// Package lua is the lab of Redis's Lua scripts: what they make safe, and what they leave to you.
//
// The scripts are in scripts/, each with its keys, values, answers and invariant at its top. Some are
// wrong on purpose and say so with the word COUNTEREXAMPLE. The tests are the experiments: each is named
// after the fact that it shows, and runs on a Redis in a container. Read them beside
// lessons/lua-scripts.md.
//
//	race_test.go      read, decide, write is a race; one script is none
//	window_test.go    a counter with a limit, and all of its answers
//	compare_test.go   delete and set only what is still mine: script, WATCH, native
//	rehearsal_test.go the native way against a stand-in, where there is no Redis 8.4
//	reserve_test.go   take from stock, if there is enough
//	cache_test.go     EVALSHA, NOSCRIPT, pipelines, values in ARGV
//	errors_test.go    no rollback; call and pcall; a refusal is no error
//	rights_test.go    a user who may do only the first write of a script
//	memory_test.go    what a full memory stops, and what it does not
//	repeat_test.go    which scripts may be asked again, and which not
//	busy_test.go      scripts without an end
//	function_test.go  FUNCTION, FCALL, and reading only
//	cluster_test.go   slots, on three nodes
//	json_test.go      what cjson makes of empty lists, large numbers and null
package lua
