-- Lets a job of mine wait again, for anybody.
-- KEYS  record, active, waiting, bell    ARGV  token, job id
-- Returns 1, or 0 if it is not mine any more; then nothing is written.
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then
  return 0
end
redis.call('ZREM', KEYS[2], ARGV[2])
redis.call('HDEL', KEYS[1], 'token')
redis.call('HSET', KEYS[1], 'state', 'waiting')
redis.call('RPUSH', KEYS[3], ARGV[2])
redis.call('RPUSH', KEYS[4], '1')
return 1
