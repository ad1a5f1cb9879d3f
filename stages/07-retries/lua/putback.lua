-- Puts a failed job back into the queue, as if it had just been stored.
--
-- KEYS[1]  stream of waiting and active jobs
-- KEYS[2]  record of this job (hash)
-- KEYS[3]  failed jobs (sorted set)
-- ARGV[1]  job id
--
-- Returns  {'stored', 'waiting'}  it is waiting again
--          {'known', state}       it is in another state; nothing was written
--          {'unknown', ''}        there is no record; nothing was written
--
-- Invariant: only a job that has failed for good is put back, and then it has one
-- place in the queue, no lifetime and all of its attempts and time before it.

local state = redis.call('HGET', KEYS[2], 'state')
if not state then
  return {'unknown', ''}
end
if state ~= 'failed' then
  return {'known', state}
end
local now = redis.call('TIME')
redis.call('HSET', KEYS[2], 'state', 'waiting', 'attempts', 0,
  'enqueued', now[1] * 1000 + math.floor(now[2] / 1000))
redis.call('HDEL', KEYS[2], 'error')
redis.call('PERSIST', KEYS[2])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('XADD', KEYS[1], '*', 'job', ARGV[1])
return {'stored', 'waiting'}
