-- Replaces the recorded privileges of objects and the access declarations of modules. $1: the objects. $2: their
-- states, as returned by list_access. $3: the statements that created the objects, or null. Rows: the number of stored
-- objects. Locks: the stored rows.
with gone as (
  delete from access_object where object <> all ($1::text[])
)
insert into access_object (object, state, made_by)
select * from unnest($1::text[], $2::text[], $3::text[])
on conflict (object) do update set state = excluded.state, made_by = excluded.made_by
