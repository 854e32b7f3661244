-- Locks the views that yield_to_readers has named, in the order of their names there: readers lock a view
-- ahead of the views that it reads, while those are replaced first. Who is already there reads on. All at
-- once, because the longer the time between two, the more readers hold one and wait for the other.
-- LOCK TABLE would lock the tables as well. Rows: none. Locks: the views, ACCESS EXCLUSIVE.
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
    -- Changes nothing: the owner is the owner.
    execute format('alter view %I owner to %s', view.name, view.owner);
  end loop;
end $$
