-- The coordinator waits for a part: takes it back if no worker has begun with it (returns 1), or
-- asks its worker to stop early (0).
-- KEYS parts, hurry    ARGV entry, number
if #redis.pcall('XPENDING', KEYS[1], 'workers', ARGV[1], ARGV[1], 1) == 0 then
	return redis.call('XDEL', KEYS[1], ARGV[1])
end
redis.call('SADD', KEYS[2], ARGV[2])
return 0
