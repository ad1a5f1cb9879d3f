-- COUNTEREXAMPLE. Moves pieces from one shelf to another and writes before it has
-- looked at the second shelf.
--
-- KEYS[1]  shelf they are on (a whole number)
-- KEYS[2]  shelf they go to (a whole number)
-- ARGV[1]  pieces
--
-- Returns  what is on the second shelf afterwards
--
-- Invariant: none. When the second write fails, the first one stays and the pieces
-- are gone. No other client could see in between; all of them see it afterwards.

redis.call('DECRBY', KEYS[1], ARGV[1])
return redis.call('INCRBY', KEYS[2], ARGV[1])
