-- Ends a job for good, as completed or as failed.
--
-- KEYS[1]  stream of waiting and active jobs
-- KEYS[2]  record of the job
-- KEYS[3]  finished jobs of this state (sorted set, score = end of retention in ms)
-- ARGV[1]  consumer group
-- ARGV[2]  this worker's consumer name, its lock token
-- ARGV[3]  entry id
-- ARGV[4]  job id
-- ARGV[5]  state: completed or failed
-- ARGV[6]  field to set: result or error
-- ARGV[7]  its value
-- ARGV[8]  retention in ms; 0 removes the record at once
--
-- Returns  1 done, 0 lost: another worker has the job; nothing was written
--
-- Invariant: only the owner of the entry ends the job, and a record that was
-- removed meanwhile is not brought back.

-- TODO 06.5 (lessons/06-worker.md#commands-of-a-stream): act only for the owner. Whoever calls this may
-- have lost the job long ago. Ask XPENDING whether the entry is still held by this consumer; if not, return 0 and write nothing.
redis.call('XACK', KEYS[1], ARGV[1], ARGV[3])
redis.call('XDEL', KEYS[1], ARGV[3])
if redis.call('EXISTS', KEYS[2]) == 0 then
  return 1
end
if ARGV[8] == '0' then
  redis.call('DEL', KEYS[2])
  return 1
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[2], 'state', ARGV[5], ARGV[6], ARGV[7])
if ARGV[5] == 'completed' then
  redis.call('HDEL', KEYS[2], 'error') -- the reason of an earlier, failed attempt
end
redis.call('PEXPIRE', KEYS[2], ARGV[8])
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', string.format('%.0f', now))
redis.call('ZADD', KEYS[3], string.format('%.0f', now + tonumber(ARGV[8])), ARGV[4])
return 1
