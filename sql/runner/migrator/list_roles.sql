-- Compares the roles $1 with the cluster's roles. The statement also checks whether the roles $2 are members of the
-- roles $3. $4: the schema. $5: true if the schema stores these roles. Rows: one row for each role, then one row for
-- each missing membership, which contains the member in column 1 and the role in column 7. Locks: none. Other columns:
-- 1: the role. 2: true if the role exists. 3: true if its comment names this schema, or if the schema stores the role
-- and the comment names a database or a schema that no longer exists, as after a rename. 4: true if the comment names
-- no schema. 5: the other databases that depend on the role. 6: true if the role has excessive privileges. 7: null. 8:
-- the statement that sets the comment. 9: true if the comment differs.
select r.name, p.oid is not null,
  coalesce(c.has = c.wants or $5::boolean and m.named is not null and (
    not exists (select from pg_database d where d.datname = m.named[2])
    or m.named[2] = pg_catalog.current_database() and pg_catalog.to_regnamespace(m.named[1]) is null), false),
  coalesce(c.has, '') not like 'Baton: schema %',
  (select pg_catalog.string_agg(distinct d.datname, ', ') from pg_shdepend s join pg_database d on d.oid = s.dbid
    where s.refclassid = 'pg_authid'::regclass and s.refobjid = p.oid and d.datname <> pg_catalog.current_database()),
  coalesce(p.rolsuper or p.rolcreaterole or p.rolcreatedb or p.rolbypassrls or p.rolreplication, false),
  null::text as role, pg_catalog.format('comment on role %I is %L', r.name, c.wants), c.has is distinct from c.wants
from pg_catalog.unnest($1::text[]) with ordinality r (name, place)
left join pg_roles p on p.rolname = r.name
cross join lateral (
  select pg_catalog.shobj_description(p.oid, 'pg_authid') as has,
    pg_catalog.format('Baton: schema %s of database %s', $4::text, pg_catalog.current_database()) as wants) c
cross join lateral (
  select pg_catalog.regexp_match(c.has, '^Baton: schema ([^ ]+) of database (.+)$') as named) m
union all
select m.member, false, false, false, null, false, m.role, '', false
from unnest($2::text[], $3::text[]) m (member, role)
where not exists (
  select from pg_auth_members a
  where a.roleid = (select oid from pg_roles where rolname = m.role)
    and a.member = (select oid from pg_roles where rolname = m.member))
