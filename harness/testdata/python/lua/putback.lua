-- Lets a failed job wait again, with all of its attempts and time.
-- KEYS  record, waiting, bell, failed    ARGV  job id
-- Returns {1, 'waiting'}, or {0, state} if it has not failed ('' without a record).
local state = redis.call('HGET', KEYS[1], 'state')
if state ~= 'failed' then
  return {0, state or ''}
end
local t = redis.call('TIME')
redis.call('PERSIST', KEYS[1])
redis.call('HDEL', KEYS[1], 'error')
redis.call('HSET', KEYS[1], 'state', 'waiting', 'attempts', '0',
  'since', string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000)))
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('RPUSH', KEYS[2], ARGV[1])
redis.call('RPUSH', KEYS[3], '1')
return {1, 'waiting'}
