-- Stores a job, unless its record is there.
-- KEYS  record, waiting, bell    ARGV  job id, name, data
-- Returns {1, 'waiting'} if it is new, {0, state} if it is known; then nothing is written.
local state = redis.call('HGET', KEYS[1], 'state')
if state then
  return {0, state}
end
local t = redis.call('TIME')
redis.call('HSET', KEYS[1], 'name', ARGV[2], 'data', ARGV[3], 'state', 'waiting', 'attempts', '0',
  'since', string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000)))
redis.call('RPUSH', KEYS[2], ARGV[1])
redis.call('RPUSH', KEYS[3], '1')
return {1, 'waiting'}
