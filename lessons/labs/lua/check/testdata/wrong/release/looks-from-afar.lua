-- Gives a lock back.
--
-- KEYS[1]  the lock
-- ARGV[1]  the token of whoever gives it back
--
-- Returns  1 given back, 0 not

return redis.call('DEL', KEYS[1])
