-- Looks, or counts: which of the two, it is told.
--
-- KEYS[1]  the counter of one client
-- ARGV[1]  look or count
-- ARGV[2]  limit, or window in seconds
--
-- Returns  1 there is room, or it was counted; 0 there is none

if ARGV[1] == 'look' then
  return tonumber(redis.call('GET', KEYS[1]) or '0') < tonumber(ARGV[2]) and 1 or 0
end
if redis.call('INCR', KEYS[1]) == 1 then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
end
return 1
