-- Which of the roles $1 do not exist. Rows: names. Locks: none.
select r.name from unnest($1::text[]) r (name)
where not exists (select from pg_roles p where p.rolname = r.name)
