-- Makes a job that was just taken active, and counts the attempt.
--
-- KEYS[1]  stream of waiting and active jobs
-- KEYS[2]  record of the job
-- ARGV[1]  consumer group
-- ARGV[2]  this worker's consumer name, its lock token
-- ARGV[3]  entry id
--
-- Returns  {'started', name, data, attempts, enqueued ms, now ms}
--          {'lost'}  another worker has the job; nothing was written
--          {'gone'}  the record was removed; the entry is removed as well
--
-- Invariant: only the owner of the entry starts it, and an attempt is counted
-- when it begins, so that one that kills its worker is counted too. The
-- stream's own delivery count would not do: a retry is a new entry, and its
-- count begins anew.

local mine = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1, ARGV[2])
if #mine == 0 then
  return {'lost'}
end
if redis.call('EXISTS', KEYS[2]) == 0 then
  redis.call('XACK', KEYS[1], ARGV[1], ARGV[3])
  redis.call('XDEL', KEYS[1], ARGV[3])
  return {'gone'}
end
redis.call('HSET', KEYS[2], 'state', 'active')
local attempts = redis.call('HINCRBY', KEYS[2], 'attempts', 1)
local job = redis.call('HMGET', KEYS[2], 'name', 'data', 'enqueued')
local time = redis.call('TIME')
return {'started', job[1] or '', job[2] or '', attempts, tonumber(job[3] or '0'),
  time[1] * 1000 + math.floor(time[2] / 1000)}
