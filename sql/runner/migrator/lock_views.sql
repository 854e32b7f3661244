-- Locks the views in the list that yield_to_readers has set, in the order of the list. A reader locks a view before the
-- views that this view reads, but the migrator replaces the inner views first. If the migrator did not lock all views
-- first, a reader and the migrator could deadlock. The statement waits for readers that have already locked a view. All
-- views are locked in one statement, because the risk of a deadlock grows with the time between two locks. The command
-- LOCK TABLE would also lock the tables that the views read. Rows: none. Locks: the views, ACCESS EXCLUSIVE.
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
    -- The statement changes nothing and only locks the view, because the view already has this owner.
    execute pg_catalog.format('alter view %I owner to %s', view.name, view.owner);
  end loop;
end $$
