-- Drops the function, view or trigger that name_object has set, if the object exists. Rows: none. Locks: the object or
-- its table, ACCESS EXCLUSIVE. If another object depends on the dropped object, the statement fails.
do $$
declare
  kind text := pg_catalog.current_setting('baton.kind');
  name text := pg_catalog.current_setting('baton.name');
  relation text := pg_catalog.current_setting('baton.relation');
begin
  if kind = 'view' then
    execute pg_catalog.format('drop view if exists %I', name);
  elsif kind = 'trigger' then
    if pg_catalog.to_regclass(relation) is not null then
      execute pg_catalog.format('drop trigger if exists %I on %I', name, relation);
    end if;
  else
    execute pg_catalog.format('drop function if exists %I.%I', pg_catalog.current_schema(), name);
  end if;
end $$
