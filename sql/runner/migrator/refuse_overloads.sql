-- Fails if the schema contains two functions with the same name. When the parameters of a function were changed, the
-- older function should have been dropped. Rows: none. Locks: none.
do $$
declare
  name text := (
    select o.name
    from schema_object o
    join pg_proc f on f.pronamespace = pg_catalog.current_schema()::regnamespace and f.proname = o.name
    where o.kind = 'function'
    group by o.name
    having pg_catalog.count(*) > 1
    limit 1);
begin
  if name is not null then
    raise exception 'the function % is there twice, with other parameters', name
      using errcode = 'ZB030',
        hint = 'Nothing was changed. Drop the one that is no longer meant in a migration.';
  end if;
end $$
