-- Returns the statement that lets service roles execute all functions that are not SECURITY DEFINER. Functions that are
-- not SECURITY DEFINER run with the caller's privileges, so the roles gain no privileges. $1: the roles, separated by
-- commas. Rows: one statement, or no rows if all functions are SECURITY DEFINER. Locks: none. Functions that belong to
-- extensions are ignored.
select pg_catalog.format('grant execute on routine %s to %s',
  pg_catalog.string_agg(f.oid::regprocedure::text, ', ' order by 1), $1::text)
from pg_proc f
where f.pronamespace = pg_catalog.current_schema()::regnamespace and not f.prosecdef
  and f.prorettype <> 'trigger'::regtype
  and not exists (
    select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = f.oid and d.deptype = 'e')
having pg_catalog.count(*) > 0
