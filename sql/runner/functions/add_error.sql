-- The list with one more failed attempt, the newest twenty of them; as it was where there is no error.
create or replace function add_error(errors jsonb, attempt integer, error text) returns jsonb
language sql stable
return case when error is null then errors else
  case when jsonb_array_length(errors) >= 20 then errors - 0 else coalesce(errors, '[]') end
  || jsonb_build_object('attempt', attempt, 'at',
    to_char(pg_catalog.now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'error', left(error, 2000)) end
