-- Stores the state of objects, in the form of list_access, and what parts declare about them. $1 objects, $2 states, $3
-- the statements that made them or null. Rows: the number. Locks: those rows.
with gone as (
  delete from access_object where object <> all ($1::text[])
)
insert into access_object (object, state, made_by)
select * from unnest($1::text[], $2::text[], $3::text[])
on conflict (object) do update set state = excluded.state, made_by = excluded.made_by
