-- Ends a job of mine as failed.
-- KEYS  record, active, failed    ARGV  token, job id, reason, retention in ms
-- Returns 1, or 0 if it is not mine any more; then nothing is written.
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then
  return 0
end
redis.call('ZREM', KEYS[2], ARGV[2])
if ARGV[4] == '0' then
  redis.call('DEL', KEYS[1])
  return 1
end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
redis.call('HDEL', KEYS[1], 'token')
redis.call('HSET', KEYS[1], 'state', 'failed', 'error', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', string.format('%.0f', now))
redis.call('ZADD', KEYS[3], string.format('%.0f', now + ARGV[4]), ARGV[2])
return 1
