-- Stores one value under two keys.
--
-- KEYS[1]  first key
-- KEYS[2]  second key
-- ARGV[1]  the value
--
-- Returns  OK
--
-- Invariant: with memory over its limit, Redis refuses the first write, and as the
-- script begins with it, nothing is written at all.

redis.call('SET', KEYS[1], ARGV[1])
return redis.call('SET', KEYS[2], ARGV[1])
