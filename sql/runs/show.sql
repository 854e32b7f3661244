-- Everything about one run, as JSON. $1 its id. Rows: one, or none. Locks: none.
select jsonb_pretty(jsonb_strip_nulls(j))
from (
  select to_jsonb(r) as j from run r where id = $1
  union all
  select to_jsonb(d) || '{"state": "dead"}' from dead_run d where id = $1
) found
