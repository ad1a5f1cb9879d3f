#!lua
-- Makes room, and stores one value under two keys, unless memory is over its limit.
--
-- KEYS[1]  a key to delete, there or not
-- KEYS[2]  first key
-- KEYS[3]  second key
-- ARGV[1]  the value
--
-- Returns  OK
--
-- Invariant: all three or nothing, as far as memory goes. The first line (Redis 7.0
-- and newer) makes this a script with flags, and with none of them: one that may
-- write. Over the limit Redis does not even start it.

redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[2], ARGV[1])
return redis.call('SET', KEYS[3], ARGV[1])
