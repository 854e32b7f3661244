-- Compares the roles $1 with the cluster's roles. The statement also checks whether the roles $2 are members of the
-- roles $3. $4: the schema. Rows: first one row for each role, then one row for each missing membership. Locks: none.
-- In a role's row, column 1 is the role's name. Column 2: true if the role exists. Column 3: true if the role's comment
-- names this schema. Column 4: true if the role's comment names no schema. Column 5: the other databases that depend on
-- the role. Column 6: true if the role has excessive privileges. Column 7: null. Column 8: the statement that sets the
-- role's comment. The row of a missing membership contains the member in column 1 and the role in column 7.
select r.name, p.oid is not null,
  coalesce(pg_catalog.shobj_description(p.oid, 'pg_authid') = pg_catalog.format('Baton: schema %s of database %s', $4::text,
    pg_catalog.current_database()), false),
  coalesce(pg_catalog.shobj_description(p.oid, 'pg_authid'), '') not like 'Baton: schema %',
  (select pg_catalog.string_agg(distinct d.datname, ', ') from pg_shdepend s join pg_database d on d.oid = s.dbid
    where s.refclassid = 'pg_authid'::regclass and s.refobjid = p.oid and d.datname <> pg_catalog.current_database()),
  coalesce(p.rolsuper or p.rolcreaterole or p.rolcreatedb or p.rolbypassrls or p.rolreplication, false),
  null::text as role,
  pg_catalog.format('comment on role %I is %L', r.name, pg_catalog.format('Baton: schema %s of database %s', $4::text,
    pg_catalog.current_database()))
from pg_catalog.unnest($1::text[]) with ordinality r (name, place)
left join pg_roles p on p.rolname = r.name
union all
select m.member, false, false, false, null, false, m.role, ''
from unnest($2::text[], $3::text[]) m (member, role)
where not exists (
  select from pg_auth_members a
  where a.roleid = (select oid from pg_roles where rolname = m.role)
    and a.member = (select oid from pg_roles where rolname = m.member))
