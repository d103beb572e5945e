-- The coordinator waits for a part: takes it back (returns 1) if no worker has begun with it, or if
-- its worker has not renewed the lease for a second. Otherwise asks the worker to stop early (0).
-- KEYS parts, hurry    ARGV entry, name, seconds to keep the word
local pending = redis.pcall('XPENDING', KEYS[1], 'workers', ARGV[1], ARGV[1], 1)
if #pending == 0 then
	return redis.call('XDEL', KEYS[1], ARGV[1])
end
if pending[1][3] > 1000 then
	redis.call('XACK', KEYS[1], 'workers', ARGV[1])
	return redis.call('XDEL', KEYS[1], ARGV[1])
end
redis.call('SADD', KEYS[2], ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[3])
return 0
