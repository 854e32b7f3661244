-- The state of the roles $1, and of the memberships of roles $2 in roles $3, for the schema $4. Rows: one per role: its
-- name, whether it exists, whether it is of this schema (by its comment), whether its comment names no schema, which
-- other databases depend on it, whether it has more rights than a role of Baton may have, null, and the statement that
-- sets its comment. Then one per missing membership: member, and the role in the last column but one. Locks: none.
select r.name, p.oid is not null,
  coalesce(shobj_description(p.oid, 'pg_authid') = format('Baton: schema %s of database %s', $4::text,
    current_database()), false),
  coalesce(shobj_description(p.oid, 'pg_authid'), '') not like 'Baton: schema %',
  (select string_agg(distinct d.datname, ', ') from pg_shdepend s join pg_database d on d.oid = s.dbid
    where s.refclassid = 'pg_authid'::regclass and s.refobjid = p.oid and d.datname <> current_database()),
  coalesce(p.rolsuper or p.rolcreaterole or p.rolcreatedb or p.rolbypassrls or p.rolreplication, false),
  null::text as role,
  format('comment on role %I is %L', r.name, format('Baton: schema %s of database %s', $4::text,
    current_database()))
from unnest($1::text[]) with ordinality r (name, place)
left join pg_roles p on p.rolname = r.name
union all
select m.member, false, false, false, null, false, m.role, ''
from unnest($2::text[], $3::text[]) m (member, role)
where not exists (
  select from pg_auth_members a
  where a.roleid = (select oid from pg_roles where rolname = m.role)
    and a.member = (select oid from pg_roles where rolname = m.member))
