-- A worker takes a part: first one whose worker has not renewed its lease, else a new one. None if
-- the search has not renewed its own lease: nobody would want the answer.
-- KEYS job, parts, tries, workers, owner
-- ARGV id, epoch, name of the worker, milliseconds of the lease, seconds to keep what it writes
local job = redis.call('HMGET', KEYS[1], 'id', 'epoch', 'over')
if job[1] ~= ARGV[1] or job[2] ~= ARGV[2] or job[3] then
	return {'other'}
end
if redis.call('GET', KEYS[5]) ~= ARGV[1] then
	return {'alone'}
end
redis.call('ZADD', KEYS[4], redis.call('TIME')[1], ARGV[3])
redis.call('EXPIRE', KEYS[4], ARGV[5])
local claimed = redis.call('XAUTOCLAIM', KEYS[2], 'workers', ARGV[3], ARGV[4], '0-0', 'COUNT', 1)
local entry = claimed[2][1]
if not entry then
	local read = redis.call('XREADGROUP', 'GROUP', 'workers', ARGV[3], 'COUNT', 1, 'STREAMS',
		KEYS[2], '>')
	entry = read and read[1] and read[1][2][1]
end
if not entry then
	return {'none'}
end
local tries = redis.call('HINCRBY', KEYS[3], entry[1], 1)
redis.call('EXPIRE', KEYS[3], ARGV[5])
return {'part', entry[1], tries, entry[2]}
