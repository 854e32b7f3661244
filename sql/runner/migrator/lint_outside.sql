-- Lists views and functions in other schemas that let a role access tables of this schema with their owner's
-- privileges. $1: the name prefix of the schema's roles, or null if the schema has no roles. Rows: true for a fault and
-- false for a recommendation, the problem, the statement that fixes the problem. Functions are reported only as
-- recommendations, because a function's text does not show its effects. Superusers and objects that belong to
-- extensions are ignored. Locks: none.
with recursive edge as (
  select distinct w.ev_class as reader, d.refobjid as source
  from pg_catalog.pg_depend d
  join pg_catalog.pg_rewrite w on w.oid = d.objid
  where d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
    and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjid <> w.ev_class
),
reading as (
  select c.oid as reader, c.oid as source
  from pg_catalog.pg_class c
  where c.relnamespace = pg_catalog.current_schema()::pg_catalog.regnamespace and c.relkind in ('r', 'p', 'v')
  union
  select e.reader, r.source from reading r join edge e on e.source = r.reader
),
-- A view with `security_invoker` uses the privileges of the role that reads the view.
view as (
  select c.oid, c.relowner, c.relacl, r.source
  from reading r
  join pg_catalog.pg_class c on c.oid = r.reader
  where c.relnamespace <> pg_catalog.current_schema()::pg_catalog.regnamespace
    and not coalesce(c.reloptions && '{security_invoker=true,security_invoker=on,security_invoker=1}', false)
    and not exists (
      select from pg_catalog.pg_depend d
      where d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.objid = c.oid and d.deptype = 'e')
),
granted as (
  select v.oid, v.relowner, v.source, a.grantee
  from view v, pg_catalog.aclexplode(v.relacl) a
  union
  select v.oid, v.relowner, v.source, a.grantee
  from view v
  join pg_catalog.pg_attribute t on t.attrelid = v.oid and not t.attisdropped, pg_catalog.aclexplode(t.attacl) a
)
select $1::text is not null, pg_catalog.format('%s can use %s, which accesses %s as %s', coalesce(r.rolname::text, 'PUBLIC'),
    g.oid::pg_catalog.regclass,
    pg_catalog.string_agg(distinct g.source::pg_catalog.regclass::text, ', '), g.relowner::pg_catalog.regrole),
  pg_catalog.format('revoke all on table %s from %s', g.oid::pg_catalog.regclass,
    coalesce(pg_catalog.quote_ident(r.rolname), 'public'))
from granted g
left join pg_catalog.pg_roles r on r.oid = g.grantee
where g.grantee <> g.relowner and not coalesce(r.rolsuper, false)
  and not pg_catalog.has_table_privilege(g.grantee, g.source, 'select')
group by r.rolname, g.oid, g.relowner
union all
select false, pg_catalog.format('%s can execute %s, which runs as %s and names this schema',
    coalesce(r.rolname::text, 'PUBLIC'), f.oid::pg_catalog.regprocedure, o.rolname),
  -- The schema of a parameter's type is also part of the name.
  pg_catalog.format('revoke execute on routine %s from %s',
    (pg_catalog.pg_identify_object('pg_catalog.pg_proc'::pg_catalog.regclass, f.oid, 0)).identity,
    coalesce(pg_catalog.quote_ident(r.rolname), 'public'))
from pg_catalog.pg_proc f
join pg_catalog.pg_roles o on o.oid = f.proowner
cross join lateral (
  select '\m' || pg_catalog.regexp_replace(pg_catalog.current_schema()::text, '(\W)', '\\\1', 'g') || '\M' as word) n,
  pg_catalog.aclexplode(coalesce(f.proacl, pg_catalog.acldefault('f', f.proowner))) a
left join pg_catalog.pg_roles r on r.oid = a.grantee
where f.prosecdef and f.pronamespace <> pg_catalog.current_schema()::pg_catalog.regnamespace
  -- PostgreSQL does not check EXECUTE when a trigger calls its function.
  and f.prorettype not in ('pg_catalog.trigger'::pg_catalog.regtype, 'pg_catalog.event_trigger'::pg_catalog.regtype)
  and a.grantee <> f.proowner and not coalesce(r.rolsuper, false)
  and (o.rolsuper or pg_catalog.has_schema_privilege(o.oid, pg_catalog.current_schema(), 'usage'))
  and (f.prosrc ~ n.word
    or exists (select from pg_catalog.unnest(f.proconfig) c where c ~ '^search_path=' and c ~ n.word)
    or exists (
      select from pg_catalog.pg_depend d
      join reading s on s.reader = d.refobjid
      where d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.objid = f.oid
        and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass))
  and not exists (
    select from pg_catalog.pg_depend d
    where d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.objid = f.oid and d.deptype = 'e')
order by 1 desc, 2
