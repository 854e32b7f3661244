-- Sets `bench.first` to $1 and `bench.second` to $2 until the session ends, because scripts cannot have parameters.
-- Rows: one row. Locks: none.
select set_config('bench.first', $1::bigint::text, false),
  set_config('bench.second', $2::bigint::text, false)
