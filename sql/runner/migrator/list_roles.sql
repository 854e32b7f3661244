-- What is there of the roles $1, and what of the memberships of roles $2 in roles $3, for the schema $4.
-- Rows: one a role: its name, whether it is there, whether it is of this schema (its comment says so), whether its
-- comment names no schema at all, which other databases it has to do with, whether it can do more than a role of ours
-- may, null, and the statement that gives it that comment. Then one a membership that is missing: member, and the role
-- in the last column but one. Locks: none.
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
