-- The statement that lets service roles execute the functions that run with their caller's rights, which add no right.
-- $1 those roles, with commas. Rows: one statement, or none. Locks: none.
select format('grant execute on routine %s to %s', string_agg(f.oid::regprocedure::text, ', ' order by 1), $1::text)
from pg_proc f
where f.pronamespace = current_schema()::regnamespace and not f.prosecdef
  and f.prorettype <> 'trigger'::regtype
having count(*) > 0
