-- A worker renews the lease of its part. Returns 1 if it shall stop early, -1 if the part is not
-- its own any more, else 0.
-- KEYS parts, hurry, workers    ARGV name of the worker, entry, name of the part, seconds to keep the time
redis.call('ZADD', KEYS[3], redis.call('TIME')[1], ARGV[1])
redis.call('EXPIRE', KEYS[3], ARGV[4])
if #redis.pcall('XPENDING', KEYS[1], 'workers', ARGV[2], ARGV[2], 1, ARGV[1]) == 0 then
	return -1
end
redis.call('XCLAIM', KEYS[1], 'workers', ARGV[1], 0, ARGV[2], 'JUSTID')
return redis.call('SISMEMBER', KEYS[2], ARGV[3])
