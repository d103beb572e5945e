def write_modules(out, count, seed): return []
