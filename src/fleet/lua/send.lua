-- The coordinator sends a part. Returns its entry in the stream.
-- KEYS parts    ARGV seconds to keep it, name, seal, text
local entry = redis.call('XADD', KEYS[1], '*', 'name', ARGV[2], 'seal', ARGV[3], 'text', ARGV[4])
redis.call('EXPIRE', KEYS[1], ARGV[1])
return entry
