-- Counts a hit, and then says whether it was allowed.
--
-- KEYS[1]  the counter of one client
-- ARGV[1]  limit
-- ARGV[2]  window in seconds
--
-- Returns  1 allowed, 0 refused

local hits = redis.call('INCR', KEYS[1])
if hits == 1 then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
end
return hits <= tonumber(ARGV[1]) and 1 or 0
