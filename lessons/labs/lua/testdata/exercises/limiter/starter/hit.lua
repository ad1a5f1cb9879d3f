-- Counts a hit.
--
-- KEYS[1]  the counter of one client
-- ARGV[1]  window in seconds
--
-- Returns  the hits that were counted in this window

local hits = redis.call('INCR', KEYS[1])
redis.call('EXPIRE', KEYS[1], ARGV[1])
return hits
