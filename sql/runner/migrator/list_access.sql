-- Compares the privileges of roles with the recorded state, for the schema and its tables, views, sequences, functions
-- and policies. $1: the roles of the schema. Rows: the object, its recorded state (null if new), its current state
-- (null if dropped), for a policy the statement that created it, and the object with quoted names (null if dropped).
-- Locks: none. Objects that belong to extensions and the privileges of other roles are not compared. An object without
-- stored privileges has the default privileges. A dump does not contain privileges that are equal to the defaults.
with acl (kind, oid, sub, grantee, privilege) as (
  select 'n', n.oid, 0, a.grantee, a.privilege_type || case when a.is_grantable then '*' else '' end
  from pg_namespace n, pg_catalog.aclexplode(n.nspacl) a where n.oid = pg_catalog.current_schema()::regnamespace
  union all
  select 'c', c.oid, 0, a.grantee, a.privilege_type || case when a.is_grantable then '*' else '' end
  from pg_class c, pg_catalog.aclexplode(coalesce(c.relacl,
    pg_catalog.acldefault(case c.relkind when 'S' then 's'::"char" else 'r'::"char" end, c.relowner))) a
  where c.relnamespace = pg_catalog.current_schema()::regnamespace
  union all
  select 'c', c.oid, t.attnum, a.grantee, a.privilege_type || case when a.is_grantable then '*' else '' end
  from pg_class c
  join pg_attribute t on t.attrelid = c.oid and t.attacl is not null and not t.attisdropped,
    pg_catalog.aclexplode(t.attacl) a
  where c.relnamespace = pg_catalog.current_schema()::regnamespace
  union all
  select 'f', f.oid, 0, a.grantee, a.privilege_type || case when a.is_grantable then '*' else '' end
  from pg_proc f, pg_catalog.aclexplode(coalesce(f.proacl, pg_catalog.acldefault('f', f.proowner))) a
  where f.pronamespace = pg_catalog.current_schema()::regnamespace
),
held as (
  select a.kind, a.oid, a.sub, coalesce(r.rolname, 'PUBLIC') as role,
    pg_catalog.string_agg(pg_catalog.lower(a.privilege collate "C"), ' ' order by a.privilege) as privileges
  from acl a
  left join pg_roles r on r.oid = a.grantee
  where a.grantee = 0 or r.rolname = any ($1::text[])
  group by 1, 2, 3, 4
),
shown as (
  select kind, oid, pg_catalog.string_agg(role || ': ' || privileges || case when sub = 0 then '' else
      ' (' || (select attname from pg_attribute t where t.attrelid = h.oid and t.attnum = h.sub) || ')' end,
    '; ' order by role, sub) as rights
  from held h
  group by kind, oid
),
present (object, quoted, state) as (
  select 'schema', pg_catalog.format('schema %I', n.nspname),
    n.nspowner::regrole::text || coalesce('; ' || s.rights, '')
  from pg_namespace n left join shown s on s.kind = 'n' and s.oid = n.oid
  where n.oid = pg_catalog.current_schema()::regnamespace
  union all
  select k.kind || c.relname, k.kind || c.oid::regclass::text,
    c.relowner::regrole::text
      || case when c.relkind not in ('r', 'p') then '' when not c.relrowsecurity then ', no row security'
        when not c.relforcerowsecurity then ', row security not for the owner' else ', row security' end
      || coalesce('; ' || s.rights, '')
  from pg_class c
  cross join lateral (
    select case c.relkind when 'v' then 'view ' when 'S' then 'sequence ' else 'table ' end as kind) k
  left join shown s on s.kind = 'c' and s.oid = c.oid
  where c.relnamespace = pg_catalog.current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'S')
    and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  union all
  select 'function ' || f.oid::regprocedure::text, 'function ' || f.oid::regprocedure::text,
    f.proowner::regrole::text || coalesce('; ' || s.rights, '')
  from pg_proc f left join shown s on s.kind = 'f' and s.oid = f.oid
  where f.pronamespace = pg_catalog.current_schema()::regnamespace
    and not exists (
      select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = f.oid and d.deptype = 'e')
  union all
  select 'policy ' || p.polname || ' on ' || c.relname,
    pg_catalog.format('policy %I on %s', p.polname, c.oid::regclass),
    pg_catalog.concat_ws(' ', case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update'
        when 'd' then 'delete' else 'all' end,
      case when p.polpermissive then '' else 'restrictive' end, 'to',
      array(select coalesce(r.rolname, 'PUBLIC') from pg_catalog.unnest(p.polroles) o
        left join pg_roles r on r.oid = o order by 1)::text,
      'using', pg_catalog.pg_get_expr(p.polqual, p.polrelid), 'check', pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid))
  from pg_policy p join pg_class c on c.oid = p.polrelid
  where c.relnamespace = pg_catalog.current_schema()::regnamespace
    and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
)
select coalesce(p.object, a.object), a.state, p.state, a.made_by, p.quoted
from present p
full join access_object a using (object)
where coalesce(p.object, a.object) not like 'part %'
order by 1
