-- A worker hands in its answer and acknowledges the part, both or neither. Returns 0 if another
-- worker has done so before. RPUSH is first: if the server is full it fails, and nothing has changed.
-- KEYS parts, hurry, tries, answer    ARGV entry, name, answer, seconds to keep it
if #redis.pcall('XPENDING', KEYS[1], 'workers', ARGV[1], ARGV[1], 1) == 0 then
	return 0
end
if ARGV[3] ~= '' then
	redis.call('RPUSH', KEYS[4], ARGV[3])
	redis.call('EXPIRE', KEYS[4], ARGV[4])
end
redis.call('XACK', KEYS[1], 'workers', ARGV[1])
redis.call('XDEL', KEYS[1], ARGV[1])
redis.call('SREM', KEYS[2], ARGV[2])
redis.call('HDEL', KEYS[3], ARGV[1])
return 1
