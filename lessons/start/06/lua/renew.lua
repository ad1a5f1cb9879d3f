-- Renews the lock of a job that takes its time.
--
-- KEYS[1]  stream of waiting and active jobs
-- ARGV[1]  consumer group
-- ARGV[2]  this worker's consumer name, its lock token
-- ARGV[3]  entry id
--
-- Returns  1 renewed, 0 lost: another worker has the job, or it is finished
--
-- Invariant: a worker can renew what is its own and never take back what is not.

-- TODO 06.4 (lessons/06-worker.md#commands-of-a-stream): renew only what is still ours: ask XPENDING
-- whether the entry is held by this consumer; if not, return 0. If it is, claim it once more (XCLAIM with JUSTID and an idle time
-- of 0): that sets its idle time, which is our lock, to zero.
return 1
