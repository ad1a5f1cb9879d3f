-- Lets a job of mine rest until its next attempt.
-- KEYS  record, active, delayed    ARGV  token, job id, reason, pause in ms
-- Returns 1, or 0 if it is not mine any more; then nothing is written.
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then
  return 0
end
local t = redis.call('TIME')
redis.call('ZREM', KEYS[2], ARGV[2])
redis.call('HDEL', KEYS[1], 'token')
redis.call('HSET', KEYS[1], 'state', 'delayed', 'error', ARGV[3])
redis.call('ZADD', KEYS[3], string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000) + ARGV[4]), ARGV[2])
return 1
