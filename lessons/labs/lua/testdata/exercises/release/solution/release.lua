-- Gives a lock back, if it is still the caller's.
--
-- KEYS[1]  the lock
-- ARGV[1]  the token of whoever gives it back
--
-- Returns  1 given back, 0 not; nothing was written
--
-- Invariant: nobody gives back the lock of another.

if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
