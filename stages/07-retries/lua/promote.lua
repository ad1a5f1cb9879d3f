-- Puts one delayed job whose time has come back into the queue.
--
-- KEYS[1]  stream of waiting and active jobs
-- KEYS[2]  record of the job
-- KEYS[3]  delayed jobs (sorted set, score = due time in ms)
-- ARGV[1]  job id
--
-- Returns  1 promoted, 0 not: another worker did it, or it is not due, or its
--          record was removed
--
-- Invariant: of several workers that see the same due job, one promotes it; and
-- a record that was removed and stored anew meanwhile, which has an entry in the
-- stream already, gets no second one.

local due = redis.call('ZSCORE', KEYS[3], ARGV[1])
local time = redis.call('TIME')
if not due or tonumber(due) > time[1] * 1000 + math.floor(time[2] / 1000) then
  return 0
end
redis.call('ZREM', KEYS[3], ARGV[1])
if redis.call('HGET', KEYS[2], 'state') ~= 'delayed' then
  return 0
end
redis.call('HSET', KEYS[2], 'state', 'waiting')
redis.call('XADD', KEYS[1], '*', 'job', ARGV[1])
return 1
