-- Announces a state of the search that owns the name. Returns 0 if another search owns it.
-- KEYS owner, job, parts, workers, hurry, tries
-- ARGV id, milliseconds of the lease, epoch, record, state, seal, seconds to keep it
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then
	return 0
end
local job = redis.call('HMGET', KEYS[2], 'id', 'epoch')
if job[1] ~= ARGV[1] or job[2] ~= ARGV[3] then
	-- parts of another state, or of a search that was killed
	redis.call('DEL', KEYS[2], KEYS[3], KEYS[5], KEYS[6])
end
redis.call('HSET', KEYS[2], 'id', ARGV[1], 'epoch', ARGV[3], 'record', ARGV[4], 'state', ARGV[5],
	'seal', ARGV[6])
redis.pcall('XGROUP', 'CREATE', KEYS[3], 'workers', '0', 'MKSTREAM')
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[7])
redis.call('EXPIRE', KEYS[3], ARGV[7])
return 1
