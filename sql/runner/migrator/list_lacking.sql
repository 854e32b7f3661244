-- Lists the roles in $1 that do not exist. Rows: the names. Locks: none.
select r.name from pg_catalog.unnest($1::text[]) r (name)
where not exists (select from pg_roles p where p.rolname = r.name)
