-- Lists the roles outside the schema that can act as one of its roles. $1: the schema's roles. Rows: the schema's role,
-- and the member of that role. Locks: none.
select g.rolname::text, m.rolname::text
from pg_catalog.pg_auth_members a
join pg_catalog.pg_roles g on g.oid = a.roleid
join pg_catalog.pg_roles m on m.oid = a.member
where g.rolname::text = any ($1::text[]) and m.rolname::text <> all ($1::text[])
  and (coalesce((pg_catalog.to_jsonb(a) ->> 'set_option')::boolean, true)
    or coalesce((pg_catalog.to_jsonb(a) ->> 'inherit_option')::boolean, true))
order by 1, 2
