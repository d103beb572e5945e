-- The coordinator asks once a second whether everything that it sent is still there, because a
-- server that was restarted may have lost it. Renews the lease of the name. Returns the answer and
-- how many workers there are: those that have looked for parts in the last seconds.
-- KEYS owner, job, parts, workers, hurry, tries
-- ARGV id, milliseconds of the lease, epoch, entry of the part or '', seconds to keep everything
local now = tonumber(redis.call('TIME')[1])
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now - 4)
local workers = redis.call('ZCARD', KEYS[4])
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then
	return {'foreign', 0}
end
local job = redis.call('HMGET', KEYS[2], 'id', 'epoch')
if not owner or job[1] ~= ARGV[1] or job[2] ~= ARGV[3] then
	return {'unpublished', 0}
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
for i = 2, #KEYS do
	redis.call('EXPIRE', KEYS[i], ARGV[5])
end
if ARGV[4] ~= '' and #redis.call('XRANGE', KEYS[3], ARGV[4], ARGV[4]) == 0 then
	return {'gone', workers}
end
return {'there', workers}
