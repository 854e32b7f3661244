-- Stores the access declarations of the modules, in a schema without roles. $1: `part NAME` for each module. $2: the
-- declarations. Rows: the number of stored modules. Locks: the stored rows.
with gone as (
  delete from access_object where object like 'part %' and object <> all ($1::text[])
)
insert into access_object (object, state, made_by)
select object, '', text from unnest($1::text[], $2::text[]) p (object, text)
on conflict (object) do update set made_by = excluded.made_by
