-- Lists the uses of the roles $1 outside the schema: members of the roles, and open sessions. Rows: one sentence for
-- each member or login. Locks: none.
select pg_catalog.format('%s is a member of %s', m.rolname, r.rolname)
from pg_auth_members a
join pg_roles r on r.oid = a.roleid
join pg_roles m on m.oid = a.member
where r.rolname = any ($1::text[]) and m.rolname <> all ($1::text[]) and m.rolname <> current_user
union all
select pg_catalog.format('%s is logged in %s times', usename, pg_catalog.count(*))
from pg_stat_activity
where usename = any ($1::text[]) and pid <> pg_catalog.pg_backend_pid()
group by usename
order by 1
