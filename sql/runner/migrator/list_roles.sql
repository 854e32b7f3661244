-- Compares the roles $1 with the roles of the cluster. The statement also checks whether the roles $2 are members of
-- the roles $3. $4: the schema. Rows: first one row for each role, then one row for each missing membership. Locks:
-- none. A role's columns are its name, whether it exists, whether its comment names this schema, and whether its
-- comment names no schema. The next columns are databases that depend on the role, whether the role has excessive
-- privileges, null, and the statement that sets its comment. For a missing membership, the first column is the member,
-- and the second to last column is the role.
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
