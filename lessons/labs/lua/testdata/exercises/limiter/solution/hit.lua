-- Counts a hit, if the limit allows it.
--
-- KEYS[1]  the counter of one client
-- ARGV[1]  limit
-- ARGV[2]  window in seconds
--
-- Returns  1 allowed and counted, 0 refused; nothing was written
--
-- Invariant: a counter has a lifetime from its first hit on, and no later hit changes it.

local hits = tonumber(redis.call('GET', KEYS[1]) or '0')
if hits >= tonumber(ARGV[1]) then
  return 0
end
if hits == 0 then
  redis.call('SET', KEYS[1], '1', 'EX', ARGV[2])
else
  redis.call('INCR', KEYS[1])
end
return 1
