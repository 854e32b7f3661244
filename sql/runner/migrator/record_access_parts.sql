-- Stores what the parts declare about access, in a schema without roles. $1 `part NAME` of each, $2 the texts. Rows:
-- the number. Locks: those rows.
with gone as (
  delete from access_object where object like 'part %' and object <> all ($1::text[])
)
insert into access_object (object, state, made_by)
select object, '', text from unnest($1::text[], $2::text[]) p (object, text)
on conflict (object) do update set made_by = excluded.made_by
