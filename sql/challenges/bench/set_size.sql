-- Sets sizes for the scripts that make data, because scripts take no parameters. $1 and $2 numbers. Rows: one.
-- Locks: none. The settings last as long as the session.
select set_config('bench.first', $1::bigint::text, false),
  set_config('bench.second', $2::bigint::text, false)
