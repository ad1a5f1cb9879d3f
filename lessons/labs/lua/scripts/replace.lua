-- COUNTEREXAMPLE. Makes room first, and then stores one value under two keys.
--
-- KEYS[1]  a key to delete, there or not
-- KEYS[2]  first key
-- KEYS[3]  second key
-- ARGV[1]  the value
--
-- Returns  OK
--
-- Invariant: none about memory. DEL needs none and is let through over the limit.
-- From then on the script has written, Redis asks no more, and both writes go
-- through, however large they are.

redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[2], ARGV[1])
return redis.call('SET', KEYS[3], ARGV[1])
