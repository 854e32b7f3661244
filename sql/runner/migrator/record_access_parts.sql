-- Stores the modules' access declarations in a schema without roles, and deletes the declarations of all other modules.
-- $1: the module names, each with the prefix `part `. $2: the access declaration of each module. Rows: the number of
-- stored modules. Locks: the stored and the deleted rows.
with gone as (
  delete from access_object where object like 'part %' and object <> all ($1::text[])
)
insert into access_object (object, state, made_by)
select object, '', text from unnest($1::text[], $2::text[]) p (object, text)
on conflict (object) do update set made_by = excluded.made_by
