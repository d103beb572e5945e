-- The search is over: removes everything but the word that it is over, for the workers.
-- KEYS owner, job, parts, workers, hurry, tries, files…    ARGV id, seconds to keep the word
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
	return 0
end
redis.call('DEL', unpack(KEYS))
redis.call('HSET', KEYS[2], 'id', ARGV[1], 'over', '1')
redis.call('EXPIRE', KEYS[2], ARGV[2])
return 1
