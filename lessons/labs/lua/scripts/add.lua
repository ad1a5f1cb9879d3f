-- Adds to a counter and gives back what it holds then.
--
-- KEYS[1]  the counter
-- ARGV[1]  what to add, a whole number
--
-- Returns  the new count
--
-- Invariant: the value is an argument. Written into the source instead, it would
-- make another script of every value, each of them kept by the server.

return redis.call('INCRBY', KEYS[1], ARGV[1])
