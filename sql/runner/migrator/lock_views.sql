-- Locks the views in the list that yield_to_readers has set, in the order of the list. A reader locks an outer view
-- before the inner views that it reads, but the migrator replaces inner views first. Without this statement, a reader
-- and the migrator could deadlock. The statement waits for readers that have already locked a view. All views are
-- locked in one statement, because the risk of a deadlock grows with the time between two locks. LOCK TABLE would also
-- lock the tables that the views read. Rows: none. Locks: the views, ACCESS EXCLUSIVE.
do $$
declare
  view record;
begin
  for view in
    select c.relname as name, c.relowner::regrole as owner
    from pg_catalog.unnest(pg_catalog.string_to_array(pg_catalog.current_setting('baton.views'), ','))
      with ordinality as v (name, place)
    join pg_class c on c.relname = v.name and c.relkind = 'v'
      and c.relnamespace = pg_catalog.current_schema()::regnamespace
    order by v.place
  loop
    -- The command sets the view's current owner again, so it changes nothing and only locks the view.
    execute pg_catalog.format('alter view %I owner to %s', view.name, view.owner);
  end loop;
end $$
