-- Gives a lock back if its token looks like the caller's.
--
-- KEYS[1]  the lock
-- ARGV[1]  the token, which is taken for a pattern
--
-- Returns  1 given back, 0 not

local held = redis.call('GET', KEYS[1])
if held and string.match(held, ARGV[1]) then
  return redis.call('DEL', KEYS[1])
end
return 0
