-- Gives a lock back, and takes every trouble for a lock that is another's.
--
-- KEYS[1]  the lock
-- ARGV[1]  the token of whoever gives it back
--
-- Returns  1 given back, 0 not

if redis.pcall('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
