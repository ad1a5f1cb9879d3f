-- Counts a hit, if the limit allows it, for ever.
--
-- KEYS[1]  the counter of one client
-- ARGV[1]  limit
--
-- Returns  1 allowed and counted, 0 refused

local hits = tonumber(redis.call('GET', KEYS[1]) or '0')
if hits >= tonumber(ARGV[1]) then
  return 0
end
redis.call('INCR', KEYS[1])
return 1
