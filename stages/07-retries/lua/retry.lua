-- Ends an attempt and lets the job rest until its next one.
--
-- KEYS[1]  stream of waiting and active jobs
-- KEYS[2]  record of the job
-- KEYS[3]  delayed jobs (sorted set, score = due time in ms)
-- ARGV[1]  consumer group
-- ARGV[2]  this worker's consumer name, its lock token
-- ARGV[3]  entry id
-- ARGV[4]  job id
-- ARGV[5]  pause in ms
-- ARGV[6]  reason, kept as the record's error
--
-- Returns  1 delayed, 0 lost: another worker has the job; nothing was written
--
-- Invariant: the job is either in the stream or among the delayed, never in
-- both and never in none, unless its record was removed meanwhile.

local mine = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1, ARGV[2])
if #mine == 0 then
  return 0
end
redis.call('XACK', KEYS[1], ARGV[1], ARGV[3])
redis.call('XDEL', KEYS[1], ARGV[3])
if redis.call('EXISTS', KEYS[2]) == 1 then
  local time = redis.call('TIME')
  local due = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[5])
  redis.call('HSET', KEYS[2], 'state', 'delayed', 'error', ARGV[6])
  redis.call('ZADD', KEYS[3], string.format('%.0f', due), ARGV[4])
end
return 1
