-- Renews the lock of a job that is mine.
-- KEYS  record, active    ARGV  token, lock in ms, job id
-- Returns 1, or 0 if it is not mine any more; then nothing is written.
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then
  return 0
end
local t = redis.call('TIME')
redis.call('ZADD', KEYS[2], string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000) + ARGV[2]), ARGV[3])
return 1
