-- Puts a job that this worker holds back into the queue, for anybody.
--
-- KEYS[1]  stream of waiting and active jobs
-- KEYS[2]  record of the job
-- ARGV[1]  consumer group
-- ARGV[2]  this worker's consumer name, its lock token
-- ARGV[3]  entry id
-- ARGV[4]  job id
--
-- Returns  1 given back, 0 lost: another worker has the job; nothing was written
--
-- Invariant: the job has one entry before and one after, or none if its record
-- was removed meanwhile.

local mine = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1, ARGV[2])
if #mine == 0 then
  return 0
end
redis.call('XACK', KEYS[1], ARGV[1], ARGV[3])
redis.call('XDEL', KEYS[1], ARGV[3])
if redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('HSET', KEYS[2], 'state', 'waiting')
  redis.call('XADD', KEYS[1], '*', 'job', ARGV[4])
end
return 1
