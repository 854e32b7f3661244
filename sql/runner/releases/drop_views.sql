-- Drops the views that yield_to_readers has set, so that a program can create older views with fewer columns. The views
-- are dropped in one statement, because some of the views depend on others. Rows: none. Locks: the views, ACCESS
-- EXCLUSIVE. If another object depends on one of the views, the statement fails.
do $$
declare
  names text := (
    select string_agg(format('%I', c.relname), ', ')
    from unnest(string_to_array(current_setting('baton.views'), ',')) v (name)
    join pg_class c on c.relname = v.name and c.relkind = 'v'
      and c.relnamespace = current_schema()::regnamespace);
begin
  if names is not null then
    execute 'drop view ' || names;
  end if;
end $$
