-- Locks the views that yield_to_readers has set, in that order. Readers lock a view before the views that it reads, but
-- the migrator replaces those first: without these locks both could wait for each other. Readers that already hold a
-- lock finish first. All views are locked in one statement: the longer the time between two locks, the more readers
-- hold one view and wait for the other. LOCK TABLE would lock the tables too. Rows: none. Locks: the views, ACCESS
-- EXCLUSIVE.
do $$
declare
  view record;
begin
  for view in
    select c.relname as name, c.relowner::regrole as owner
    from unnest(string_to_array(current_setting('baton.views'), ',')) with ordinality as v (name, place)
    join pg_class c on c.relname = v.name and c.relkind = 'v'
      and c.relnamespace = current_schema()::regnamespace
    order by v.place
  loop
    -- Changes nothing but takes the lock: the view already has this owner.
    execute format('alter view %I owner to %s', view.name, view.owner);
  end loop;
end $$
