-- Lets jobs wait again that are due, and those whose lock has run out; and rings the bell for
-- waiting jobs that nobody was woken for.
-- KEYS  waiting, bell, active, delayed    ARGV  prefix of records
local t = redis.call('TIME')
local now = string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000))
local function again(place, state, stalled)
  for _, job in ipairs(redis.call('ZRANGEBYSCORE', place, '-inf', now, 'LIMIT', '0', '100')) do
    redis.call('ZREM', place, job)
    local record = ARGV[1] .. job
    if redis.call('HGET', record, 'state') == state then
      redis.call('HSET', record, 'state', 'waiting')
      redis.call('HDEL', record, 'token')
      if stalled then
        redis.call('HSET', record, 'stalled', '1')
      end
      redis.call('RPUSH', KEYS[1], job)
    end
  end
end
again(KEYS[3], 'active', true)
again(KEYS[4], 'delayed', false)
for _ = redis.call('LLEN', KEYS[2]) + 1, redis.call('LLEN', KEYS[1]) do
  redis.call('RPUSH', KEYS[2], '1')
end
return redis.call('LLEN', KEYS[1])
