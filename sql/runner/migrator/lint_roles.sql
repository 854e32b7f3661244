-- Lists what a schema's roles can do because of their options, memberships, settings and privileges outside the schema.
-- $1: the roles. $2: whether each role can log in. $3: whether each role inherits privileges. $4 and $5: the
-- memberships (role and member). $6: the roles that may have no other members. $7: the roles that may read the server's
-- statistics. Rows: true for a fault and false for a recommendation, the problem, the place, the statement that fixes
-- the problem. Locks: none.
with role as (
  select r.oid, r.rolname::text as name, r.rolcanlogin, r.rolinherit, d.can_login, d.inherits
  from unnest($1::text[], $2::boolean[], $3::boolean[]) d (name, can_login, inherits)
  join pg_catalog.pg_roles r on r.rolname::text = d.name
),
member as (
  -- Since PostgreSQL 16, the creator of a role becomes a member that can neither use nor inherit the role.
  select g.rolname::text as role, m.rolname::text as member, a.admin_option as may_grant,
    coalesce((pg_catalog.to_jsonb(a) ->> 'set_option')::boolean, true)
      or coalesce((pg_catalog.to_jsonb(a) ->> 'inherit_option')::boolean, true) as can_use
  from pg_catalog.pg_auth_members a
  join pg_catalog.pg_roles g on g.oid = a.roleid
  join pg_catalog.pg_roles m on m.oid = a.member
),
-- The logins of the schema: its roles, and the outside roles that can act as one of its roles.
login as (
  select r.rolname::text as name, r.rolvaliduntil as until, r.rolconnlimit as most, (
      select pg_catalog.count(*) from pg_catalog.pg_stat_activity a where a.usesysid = r.oid) as sessions
  from pg_catalog.pg_roles r
  where r.rolcanlogin and (r.rolname::text = any ($1::text[]) or exists (
    select from member m where m.member = r.rolname::text and m.can_use and m.role = any ($1::text[])))
),
setting as (
  select r.name as role, d.datname::text as database, s.setrole = 0 as is_for_all,
    pg_catalog.split_part(c, '=', 1) as name, pg_catalog.substr(c, pg_catalog.strpos(c, '=') + 1) as value
  from pg_catalog.pg_db_role_setting s
  left join role r on r.oid = s.setrole
  left join pg_catalog.pg_database d on d.oid = s.setdatabase, pg_catalog.unnest(s.setconfig) c
  where (r.oid is not null or s.setrole = 0)
    and (s.setdatabase = 0 or d.datname = pg_catalog.current_database())
),
held as (
  select r.name as role, s.deptype, s.classid, s.objid, i.type, i.schema, i.identity
  from role r
  join pg_catalog.pg_shdepend s on s.refclassid = 'pg_catalog.pg_authid'::pg_catalog.regclass and s.refobjid = r.oid
    and s.deptype in ('o', 'a') and s.classid <> 'pg_catalog.pg_default_acl'::pg_catalog.regclass
    and (s.dbid = 0 or s.dbid = (
      select oid from pg_catalog.pg_database where datname = pg_catalog.current_database()))
  cross join lateral pg_catalog.pg_identify_object(s.classid, s.objid, s.objsubid) i
  where i.schema is distinct from pg_catalog.quote_ident(pg_catalog.current_schema()::text)
    and not (s.classid = 'pg_catalog.pg_namespace'::pg_catalog.regclass
      and s.objid = pg_catalog.current_schema()::pg_catalog.regnamespace::pg_catalog.oid)
)
select true, pg_catalog.format('%s can%s log in', name, case when rolcanlogin then '' else 'not' end),
  pg_catalog.format('the role %s', name),
  pg_catalog.format('alter role %I %s', name, case when can_login then 'login' else 'nologin' end)
from role where rolcanlogin <> can_login
union all
select true, pg_catalog.format('%s %s the rights of its roles', name,
    case when rolinherit then 'inherits' else 'does not inherit' end), pg_catalog.format('the role %s', name),
  pg_catalog.format('alter role %I %s', name, case when inherits then 'inherit' else 'noinherit' end)
from role where rolinherit <> inherits
union all
-- A process whose login has expired or has no connections left fails when it opens its next connection.
select l.until <= pg_catalog.now(), pg_catalog.format('the password of %s %s on %s UTC', l.name,
    case when l.until <= pg_catalog.now() then 'expired' else 'expires' end,
    pg_catalog.to_char(pg_catalog.timezone('UTC', l.until), 'YYYY-MM-DD HH24:MI')),
  pg_catalog.format('the role %s', l.name), pg_catalog.format('alter role %I valid until ''infinity''', l.name)
from login l where l.until < pg_catalog.now() + '30 days'
union all
select l.most = 0, pg_catalog.format('%s has %s of at most %s', l.name,
    case when l.sessions = 1 then '1 session' else pg_catalog.format('%s sessions', l.sessions) end, l.most),
  pg_catalog.format('the role %s', l.name), pg_catalog.format('alter role %I connection limit -1', l.name)
from login l where l.most >= 0 and l.sessions >= l.most
union all
-- The documentation recommends pg_read_all_stats for the dashboard role. Members of pg_read_all_stats can read the
-- statements of all sessions on the server, so no other role is allowed to be a member.
select true, pg_catalog.format('%s can act as %s', m.member, m.role), pg_catalog.format('the role %s', m.role),
  pg_catalog.format('revoke %I from %I', m.role, m.member)
from member m
where m.can_use and (
    m.role = any ($1::text[]) and m.member = any ($1::text[]) and not exists (
      select from unnest($4::text[], $5::text[]) d (role, member)
      where (d.role, d.member) = (m.role, m.member))
    or m.member = any ($1::text[]) and m.role <> all ($1::text[])
      and not (m.role = 'pg_read_all_stats' and m.member = any ($7::text[]))
    or m.role = any ($6::text[]) and m.member <> all ($1::text[]))
union all
select true, pg_catalog.format('%s cannot act as %s', d.member, d.role), pg_catalog.format('the role %s', d.role),
  pg_catalog.format('grant %I to %I', d.role, d.member)
from unnest($4::text[], $5::text[]) d (role, member)
where not exists (select from member m where (m.role, m.member) = (d.role, d.member) and m.can_use)
union all
select true, pg_catalog.format('%s may grant %s to any role', m.member, m.role),
  pg_catalog.format('the role %s', m.role),
  pg_catalog.format('revoke admin option for %I from %I', m.role, m.member)
from member m
where m.may_grant and (m.member = any ($1::text[]) or m.role = any ($1::text[]) and m.can_use)
union all
-- These settings change the objects to which names refer, the code that a session executes, or the user for whom a
-- transaction acts.
select s.role is not null or s.name in ('session_preload_libraries', 'local_preload_libraries', 'dynamic_library_path',
    'role', 'session_authorization', 'session_replication_role', 'allow_system_table_mods', 'ignore_system_indexes',
    'zero_damaged_pages')
  or s.name ~ '^(baton|request)\.',
  pg_catalog.format('%s is set for %s', s.name, coalesce(s.role, 'all roles')),
  case when s.database is null then 'the settings of roles' else pg_catalog.format('the database %s', s.database) end,
  case when s.role is null and s.database is not null
    then pg_catalog.format('alter database %I reset %s', s.database, s.name)
    else pg_catalog.format('alter role %s%s reset %s', coalesce(pg_catalog.quote_ident(s.role), 'all'),
      case when s.database is not null then pg_catalog.format(' in database %I', s.database) end, s.name) end
from setting s
where s.name in ('search_path', 'session_preload_libraries', 'local_preload_libraries', 'dynamic_library_path',
    'row_security', 'role', 'session_authorization', 'check_function_bodies',
    'lo_compat_privileges', 'allow_system_table_mods', 'standard_conforming_strings', 'backslash_quote',
    'transform_null_equals', 'createrole_self_grant', 'default_table_access_method', 'ignore_system_indexes',
    'zero_damaged_pages')
  or s.name = 'session_replication_role' and s.value <> 'origin'
  or s.name ~ '^(baton|request|plpgsql)\.'
union all
-- Many functions of the schema reject the isolation levels REPEATABLE READ and SERIALIZABLE. Baton's own sessions do
-- not depend on default_transaction_isolation.
select false, pg_catalog.format('default_transaction_isolation is %s for %s, so plain SQL must set READ COMMITTED',
    pg_catalog.substr(c, pg_catalog.strpos(c, '=') + 1), coalesce(r.rolname::text, 'all roles')),
  case when d.datname is null then 'the settings of roles' else pg_catalog.format('the database %s', d.datname) end,
  case when r.oid is null and d.oid is not null
    then pg_catalog.format('alter database %I reset default_transaction_isolation', d.datname)
    else pg_catalog.format('alter role %s%s reset default_transaction_isolation',
      coalesce(pg_catalog.quote_ident(r.rolname), 'all'),
      case when d.oid is not null then pg_catalog.format(' in database %I', d.datname) end) end
from pg_catalog.pg_db_role_setting s
left join pg_catalog.pg_roles r on r.oid = s.setrole
left join pg_catalog.pg_database d on d.oid = s.setdatabase, pg_catalog.unnest(s.setconfig) c
where pg_catalog.lower(c) ~ '^default_transaction_isolation=.*(repeatable read|serializable)'
  and (s.setdatabase = 0 or d.datname = pg_catalog.current_database())
  and (s.setrole = 0 or pg_catalog.has_schema_privilege(s.setrole, pg_catalog.current_schema(), 'usage'))
union all
select true, pg_catalog.format('%s may %s the parameter %s', coalesce(r.name, 'PUBLIC'),
    pg_catalog.lower(a.privilege_type), p.parname), 'the parameters of the server',
  pg_catalog.format('revoke %s on parameter %s from %s', pg_catalog.lower(a.privilege_type), p.parname,
    coalesce(pg_catalog.quote_ident(r.name), 'public'))
from pg_catalog.pg_parameter_acl p, pg_catalog.aclexplode(p.paracl) a
left join role r on r.oid = a.grantee
where r.oid is not null or a.grantee = 0
union all
select true, pg_catalog.format('%s gets %s on each new %s of %s', coalesce(g.rolname::text, 'PUBLIC'),
    pg_catalog.lower(a.privilege_type), k.kind, o.rolname), 'the default privileges',
  pg_catalog.format('alter default privileges for role %I%s revoke %s on %ss from %s', o.rolname,
    case when d.defaclnamespace <> 0 then ' in schema ' || d.defaclnamespace::pg_catalog.regnamespace::text end,
    pg_catalog.lower(a.privilege_type), k.kind, coalesce(pg_catalog.quote_ident(g.rolname), 'public'))
from pg_catalog.pg_default_acl d
join pg_catalog.pg_roles o on o.oid = d.defaclrole
cross join lateral (select case d.defaclobjtype when 'r' then 'table' when 'S' then 'sequence' when 'f' then 'routine'
  when 'T' then 'type' when 'n' then 'schema' else 'large object' end as kind) k, pg_catalog.aclexplode(d.defaclacl) a
left join pg_catalog.pg_roles g on g.oid = a.grantee
where a.grantee <> d.defaclrole and (o.rolname::text = any ($1::text[])
  or d.defaclnamespace = pg_catalog.current_schema()::pg_catalog.regnamespace)
union all
select true, pg_catalog.format('PUBLIC gets execute on each new routine of %s', r.name), 'the default privileges',
  pg_catalog.format('alter default privileges for role %I revoke execute on routines from public', r.name)
from role r
where r.name = any ($6::text[]) and not r.can_login and not exists (
  select from pg_catalog.pg_default_acl d
  where d.defaclrole = r.oid and d.defaclnamespace = 0 and d.defaclobjtype = 'f')
union all
select true, pg_catalog.format('%s owns the %s %s', h.role, h.type, h.identity), 'the database',
  pg_catalog.format('alter %s %s owner to NAME', h.type, h.identity)
from held h
where h.deptype = 'o' and h.classid <> 'pg_catalog.pg_largeobject'::pg_catalog.regclass
  and coalesce(h.schema, '') !~ '^pg_(temp|toast)'
union all
-- Operators may grant privileges on objects in other schemas, but not on system objects, languages, foreign servers or
-- tablespaces.
select true, pg_catalog.format('%s has rights on the %s %s', h.role, h.type, h.identity), 'the database',
  pg_catalog.format('revoke all on %s %s from %I', case h.type when 'server' then 'foreign server'
    when 'system table' then 'table' when 'view' then 'table' else h.type end, h.identity, h.role)
from held h
where h.deptype = 'a' and (h.schema in ('pg_catalog', 'information_schema')
  or h.type in ('language', 'foreign-data wrapper', 'server', 'tablespace'))
union all
select true, pg_catalog.format('%s may create schemas in the database', r.name), 'the database',
  pg_catalog.format('revoke create on database %I from %I', d.datname, r.name)
from pg_catalog.pg_database d, pg_catalog.aclexplode(d.datacl) a
join role r on r.oid = a.grantee
where d.datname = pg_catalog.current_database() and a.privilege_type = 'CREATE'
union all
-- By default, PUBLIC cannot execute some functions of PostgreSQL, such as pg_read_file.
select true, pg_catalog.format('PUBLIC may execute %s', f.oid::pg_catalog.regprocedure), 'the schema pg_catalog',
  pg_catalog.format('revoke execute on function %s from public', f.oid::pg_catalog.regprocedure)
from pg_catalog.pg_init_privs i
join pg_catalog.pg_proc f on f.oid = i.objoid
where i.classoid = 'pg_catalog.pg_proc'::pg_catalog.regclass and i.privtype = 'i'
  and not exists (select from pg_catalog.aclexplode(i.initprivs) a where a.grantee = 0)
  and exists (
    select from pg_catalog.aclexplode(coalesce(f.proacl, pg_catalog.acldefault('f', f.proowner))) a where a.grantee = 0)
union all
-- An event trigger's function runs with the privileges of each role that changes the schema.
select false, pg_catalog.format('the event trigger %s executes %s', e.evtname, e.evtfoid::pg_catalog.regprocedure),
  'the event triggers of the database', pg_catalog.format('drop event trigger %I', e.evtname)
from pg_catalog.pg_event_trigger e
where not exists (
  select from pg_catalog.pg_depend d
  where d.classid = 'pg_catalog.pg_event_trigger'::pg_catalog.regclass and d.objid = e.oid and d.deptype = 'e')
union all
select false, pg_catalog.format('the publication %s sends rows of the schema to its subscribers', p.pubname),
  'the publications of the database', pg_catalog.format('drop publication %I', p.pubname)
from pg_catalog.pg_publication p
where p.puballtables
  or exists (
    select from pg_catalog.pg_publication_namespace n
    where n.pnpubid = p.oid and n.pnnspid = pg_catalog.current_schema()::pg_catalog.regnamespace)
  or exists (
    select from pg_catalog.pg_publication_rel t
    join pg_catalog.pg_class c on c.oid = t.prrelid
    where t.prpubid = p.oid and c.relnamespace = pg_catalog.current_schema()::pg_catalog.regnamespace)
order by 1 desc, 2
