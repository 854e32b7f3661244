-- Lists the roles outside of the schema that can act as roles of the schema. $1: the roles of the schema. Rows: the
-- role of the schema, and the member of this role. Locks: none.
select g.rolname::text, m.rolname::text
from pg_catalog.pg_auth_members a
join pg_catalog.pg_roles g on g.oid = a.roleid
join pg_catalog.pg_roles m on m.oid = a.member
where g.rolname::text = any ($1::text[]) and m.rolname::text <> all ($1::text[])
  and (coalesce((pg_catalog.to_jsonb(a) ->> 'set_option')::boolean, true)
    or coalesce((pg_catalog.to_jsonb(a) ->> 'inherit_option')::boolean, true))
order by 1, 2
