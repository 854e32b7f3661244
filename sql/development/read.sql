-- What makes this a development database. Rows: none in production; else one: the clock, and the
-- file, range, step and mode it belongs to. Locks: none.
select clock, file_digest, coalesce(from_date::text, ''), coalesce(to_date::text, ''),
  extract(epoch from step)::bigint, mode
from development
