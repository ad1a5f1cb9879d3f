-- Counts a hit, if the limit allows it, and sets the lifetime with every hit.
--
-- KEYS[1]  the counter of one client
-- ARGV[1]  limit
-- ARGV[2]  window in seconds
--
-- Returns  1 allowed and counted, 0 refused

local hits = tonumber(redis.call('GET', KEYS[1]) or '0')
if hits >= tonumber(ARGV[1]) then
  return 0
end
redis.call('INCR', KEYS[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
