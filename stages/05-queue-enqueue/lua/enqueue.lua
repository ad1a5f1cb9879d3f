-- Stores a job and puts it into the queue, unless its record is there already.
--
-- KEYS[1]  stream of waiting and active jobs
-- KEYS[2]  record of this job (hash)
-- ARGV[1]  consumer group
-- ARGV[2]  job id
-- ARGV[3]  job name
-- ARGV[4]  job data (JSON)
--
-- Returns  {'stored', 'waiting'}  the job is new
--          {'known', state}       its record is there; nothing was written
--
-- Invariant: a record and its place in the queue come into being together. A
-- record without an entry would answer every repeat with "known" and never run.

if redis.call('EXISTS', KEYS[2]) == 1 then
  return {'known', redis.call('HGET', KEYS[2], 'state') or 'unknown'}
end
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('XGROUP', 'CREATE', KEYS[1], ARGV[1], '0', 'MKSTREAM')
end
local now = redis.call('TIME')
redis.call('HSET', KEYS[2], 'name', ARGV[3], 'data', ARGV[4], 'state', 'waiting',
  'attempts', 0, 'enqueued', now[1] * 1000 + math.floor(now[2] / 1000))
redis.call('XADD', KEYS[1], '*', 'job', ARGV[2])
return {'stored', 'waiting'}
