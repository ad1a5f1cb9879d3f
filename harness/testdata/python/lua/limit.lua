-- Counts a request in its client's window, which begins with its first request.
-- KEYS  counter    ARGV  limit, window in ms
-- Returns {1, 0} if it is allowed, {0, ms left} if not; then nothing is written.
local hits = tonumber(redis.call('GET', KEYS[1]) or '0')
if hits == 0 then
  redis.call('SET', KEYS[1], '1', 'PX', ARGV[2])
  return {1, 0}
end
if hits >= tonumber(ARGV[1]) then
  return {0, redis.call('PTTL', KEYS[1])}
end
redis.call('INCR', KEYS[1])
return {1, 0}
