-- Lists excessive privileges, regardless of the role that granted them. The statement applies the same rules to every
-- schema. $1 is the name prefix of the schema's roles, or null if the schema has no roles. $2 contains the names of the
-- roles. Rows: true for a fault and false for a recommendation, the problem, the statement that fixes the problem, with
-- qualified names for any search_path. Locks: none. Objects that belong to extensions are ignored.
with relation as (
  select c.*, (pg_catalog.pg_identify_object('pg_class'::regclass, c.oid, 0)).identity as path
  from pg_class c
  where c.relnamespace = pg_catalog.current_schema()::regnamespace
    and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
),
routine as (
  select f.*, (pg_catalog.pg_identify_object('pg_proc'::regclass, f.oid, 0)).identity as path
  from pg_proc f
  where f.pronamespace = pg_catalog.current_schema()::regnamespace
    and not exists (
      select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = f.oid and d.deptype = 'e')
),
held (what, name, oid, grantee, privilege, is_grantable, path) as (
  select 'schema', pg_catalog.quote_ident(nspname), n.oid, a.grantee, a.privilege_type, a.is_grantable,
    pg_catalog.quote_ident(nspname)
  from pg_namespace n, pg_catalog.aclexplode(n.nspacl) a where n.oid = pg_catalog.current_schema()::regnamespace
  union all
  select case when r.relkind = 'S' then 'sequence' else 'table' end, r.oid::regclass::text, r.oid, a.grantee,
    a.privilege_type, a.is_grantable, r.path
  from relation r, pg_catalog.aclexplode(r.relacl) a
  union all
  select 'table', r.oid::regclass::text, r.oid, a.grantee, a.privilege_type, a.is_grantable, r.path
  from relation r
  join pg_attribute t on t.attrelid = r.oid and not t.attisdropped, pg_catalog.aclexplode(t.attacl) a
  union all
  select 'routine', f.oid::regprocedure::text, f.oid, a.grantee, a.privilege_type, a.is_grantable, f.path
  from routine f, pg_catalog.aclexplode(coalesce(f.proacl, pg_catalog.acldefault('f', f.proowner))) a
),
role as (
  select r.oid, r.rolname, pg_catalog.substr(r.rolname, pg_catalog.length($1::text) + 2) as kind, r.rolsuper, r.rolcreaterole,
    r.rolcreatedb, r.rolbypassrls, r.rolreplication
  from pg_roles r where r.rolname = any ($2::text[])
)
-- The following rules check tables.
select true, pg_catalog.format('the table %s has no row security, or not for its owner', r.relname),
  pg_catalog.format('alter table %s enable row level security, force row level security', r.path)
from relation r
where $1::text is not null and r.relkind in ('r', 'p') and not (r.relrowsecurity and r.relforcerowsecurity)
union all
select true, pg_catalog.format('the table %s has no policy', r.relname),
  pg_catalog.format('create policy all_rows on %s to %I using (true) with check (true)', r.path, $1::text || '_owner')
from relation r
where $1::text is not null and r.relkind in ('r', 'p')
  and not exists (select from pg_policy p where p.polrelid = r.oid)
union all
-- A policy needs an index on a column that it compares. Without an index on the compared column, every query by a user
-- reads the whole table.
select true, pg_catalog.format('no index begins with a column that the policy %s on %s asks for', p.polname, r.relname),
  pg_catalog.format('create index on %s (%s)', r.path, (
    select pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' order by a.attnum)
    from pg_depend d join pg_attribute a on a.attrelid = r.oid and a.attnum = d.refobjsubid
    where d.classid = 'pg_policy'::regclass and d.objid = p.oid and d.refobjid = r.oid and d.refobjsubid > 0))
from pg_policy p
join relation r on r.oid = p.polrelid
where p.polcmd in ('r', '*') and exists (
    select from pg_depend d where d.classid = 'pg_policy'::regclass and d.objid = p.oid
      and d.refobjid = r.oid and d.refobjsubid > 0)
  and not exists (
    select from pg_depend d
    join pg_index i on i.indrelid = r.oid and i.indkey[0] = d.refobjsubid and i.indisvalid
    where d.classid = 'pg_policy'::regclass and d.objid = p.oid and d.refobjid = r.oid and d.refobjsubid > 0)
union all
-- The following rules check views and functions.
select true, pg_catalog.format('the view %s reads with the rights of its owner', r.relname),
  pg_catalog.format('alter view %s set (security_invoker = true)', r.path)
from relation r
where $1::text is not null and r.relkind = 'v' and not coalesce(r.reloptions @> '{security_invoker=true}', false)
union all
select true, pg_catalog.format('the function %s runs as its owner with the search_path of its caller',
    f.oid::regprocedure),
  pg_catalog.format('alter routine %s set search_path = %I, pg_temp', f.path, pg_catalog.current_schema())
from routine f
where f.prosecdef and not exists (
  select from pg_catalog.unnest(f.proconfig) c where c ~ '^search_path=.*pg_temp"?$')
union all
-- The following rules check privileges and roles.
select true, pg_catalog.format('PUBLIC may %s on %s %s',
    pg_catalog.lower(pg_catalog.string_agg(distinct privilege, ', ') collate "C"), what, name),
  pg_catalog.format('revoke all on %s %s from public', what, path)
from held where grantee = 0 group by what, name, path
union all
select true, pg_catalog.format('%s may %s on %s %s, and is no role of the schema', r.rolname,
    pg_catalog.lower(pg_catalog.string_agg(distinct privilege, ', ') collate "C"), h.what, h.name),
  pg_catalog.format('revoke all on %s %s from %I', h.what, h.path, r.rolname)
from held h
join pg_roles r on r.oid = h.grantee
where $1::text is not null and r.rolname <> all ($2::text[])
group by r.rolname, h.what, h.name, h.path
union all
select true, pg_catalog.format('%s may truncate %s, which asks no policy', r.rolname, h.name),
  pg_catalog.format('revoke truncate on table %s from %I', h.path, r.rolname)
from held h join role r on r.oid = h.grantee
where h.privilege = 'TRUNCATE' and r.kind not in ('owner', 'definer')
union all
select true, pg_catalog.format('%s may write %s, and not by functions alone', r.rolname, h.name),
  pg_catalog.format('revoke insert, update, delete on table %s from %I', h.path, r.rolname)
from held h join role r on r.oid = h.grantee
where h.what = 'table' and h.privilege in ('INSERT', 'UPDATE', 'DELETE')
  and r.kind in ('user', 'anon', 'api', 'authenticator', 'dashboard', 'migrator')
group by r.rolname, h.name, h.path
union all
select true, pg_catalog.format('%s may make things in the schema', r.rolname),
  pg_catalog.format('revoke create on schema %I from %I', pg_catalog.current_schema(), r.rolname)
from held h join role r on r.oid = h.grantee
where h.what = 'schema' and h.privilege = 'CREATE' and r.kind <> 'owner'
union all
select true, pg_catalog.format('%s is a superuser, makes roles or databases, replicates or sees all rows', rolname),
  pg_catalog.format('alter role %I nosuperuser nocreaterole nocreatedb noreplication nobypassrls', rolname)
from role
where rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication
union all
select true, pg_catalog.format('%s may grant %s on %s %s to other roles', r.rolname,
    pg_catalog.lower(pg_catalog.string_agg(distinct privilege, ', ') collate "C"), h.what, h.name),
  pg_catalog.format('revoke grant option for all on %s %s from %I', h.what, h.path, r.rolname)
from held h join pg_roles r on r.oid = h.grantee
where h.is_grantable and $1::text is not null
group by r.rolname, h.what, h.name, h.path
union all
-- An outsider who owns an object could change what later sessions execute.
select true, pg_catalog.format('the %s %s belongs to %s, and not to the owner of the schema', o.what, o.name, r.rolname),
  pg_catalog.format('alter %s %s owner to %I', o.what, o.path, (
    select nspowner::regrole from pg_namespace where oid = pg_catalog.current_schema()::regnamespace))
from (
  select case relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end as what,
    oid::regclass::text as name, relowner as owner, path
  from relation where $1::text is null and relkind in ('r', 'p', 'v', 'S')
  union all
  select 'routine', oid::regprocedure::text, proowner, path from routine where $1::text is null
  union all
  select case t.typtype when 'd' then 'domain' else 'type' end, t.oid::regtype::text, t.typowner,
    (pg_catalog.pg_identify_object('pg_type'::regclass, t.oid, 0)).identity
  from pg_type t
  where t.typnamespace = pg_catalog.current_schema()::regnamespace and t.typtype in ('d', 'e', 'r')
    and not exists (
      select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')) o
join pg_roles r on r.oid = o.owner
where not pg_catalog.pg_has_role(o.owner, (
  select nspowner from pg_namespace where oid = pg_catalog.current_schema()::regnamespace), 'member')
union all
-- The following rules only give recommendations, because Baton does not change privileges outside the schema.
select false, pg_catalog.format('PUBLIC may create temporary tables in the database %s', pg_catalog.current_database()),
  pg_catalog.format('revoke temporary on database %I from public', pg_catalog.current_database())
where $1::text is not null and pg_catalog.has_database_privilege('public', pg_catalog.current_database(), 'TEMPORARY')
union all
select false, 'PUBLIC may create objects in the schema public', 'revoke create on schema public from public'
where $1::text is not null and exists (
  select from pg_namespace n, pg_catalog.aclexplode(n.nspacl) a
  where n.nspname = 'public' and a.grantee = 0 and a.privilege_type = 'CREATE')
order by 1 desc, 2
