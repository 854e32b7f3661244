-- The list with one more failed attempt, the newest twenty of them; as it was where there is no error.
-- needs: iso_text
create or replace function add_error(errors jsonb, attempt integer, error text) returns jsonb
language sql stable
return case when error is null then errors else
  case when jsonb_array_length(errors) >= 20 then errors - 0 else coalesce(errors, '[]') end
  || jsonb_build_object('attempt', attempt, 'at',
    iso_text(pg_catalog.now(), '.MS'),
    'error', left(error, 2000)) end
