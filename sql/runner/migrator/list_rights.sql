-- Lists differences between the actual and the intended privileges on functions. PUBLIC cannot execute any function of
-- this schema. The role of an API may execute exactly the API functions, if the role has USAGE on the schema. $1: the
-- role. $2: whether to grant USAGE to the role. $3: the API functions. $4: whether to revoke privileges on other
-- functions. A program that does not know all functions must not revoke privileges. Rows: the difference, and the
-- statement that fixes it. Locks: none. The statement ignores objects that belong to extensions, and objects with an
-- owner that the caller cannot act as. set_rights.sql executes the returned statements.
with role as (
  select r.oid, $2::boolean as is_invited, exists (
    select from pg_namespace n, pg_catalog.aclexplode(n.nspacl) a
    where n.oid = pg_catalog.current_schema()::regnamespace and a.grantee = r.oid
      and a.privilege_type = 'USAGE') as is_inside
  from (select) one
  left join pg_roles r on r.rolname = $1::text
),
routine as (
  select f.oid::regprocedure::text as name, f.proname = any ($3::text[]) as is_of_api, e.grantee
  from pg_proc f
  -- The join returns one row for each role that may execute the function, or one row with null if no role may execute
  -- it.
  left join lateral (
    select a.grantee from pg_catalog.aclexplode(coalesce(f.proacl, pg_catalog.acldefault('f', f.proowner))) a
    where a.privilege_type = 'EXECUTE') e on true
  where f.pronamespace = pg_catalog.current_schema()::regnamespace and pg_catalog.pg_has_role(f.proowner, 'usage')
    and not exists (
      select from pg_depend d
      where d.classid = 'pg_proc'::regclass and d.objid = f.oid and d.deptype = 'e')
),
open as (
  select pg_catalog.string_agg(distinct name, ', ' order by name) as names from routine where grantee = 0
),
missing as (
  select pg_catalog.string_agg(name, ', ' order by name) as names
  from (
    select r.name from routine r
    where r.is_of_api
    group by r.name
    having not coalesce(pg_catalog.bool_or(r.grantee = (select oid from role)), false)) r
),
more as (
  select pg_catalog.string_agg(distinct name, ', ' order by name) as names
  from routine
  where grantee = (select oid from role) and not is_of_api and $4::boolean
),
rights (place, difference, statement) as (
  select 1, 'PUBLIC may execute ' || names, pg_catalog.format('revoke execute on routine %s from public', names)
  from open where names is not null
  union all
  select 2, pg_catalog.format('%s may not use the schema', $1::text),
    pg_catalog.format('grant usage on schema %I to %I', pg_catalog.current_schema(), $1::text)
  from role where is_invited and not is_inside
  union all
  select 3, pg_catalog.format('%s may not execute %s', $1::text, names),
    pg_catalog.format('grant execute on routine %s to %I', names, $1::text)
  from missing, role where names is not null and (is_invited or is_inside)
  union all
  select 4, pg_catalog.format('%s may execute %s', $1::text, names),
    pg_catalog.format('revoke execute on routine %s from %I', names, $1::text)
  from more, role where names is not null and (is_invited or is_inside)
)
select difference, statement,
  pg_catalog.set_config('baton.rights', (select pg_catalog.jsonb_agg(statement order by place) from rights)::text, true)
from rights
order by place
