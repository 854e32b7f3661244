-- A template: the function behind a trigger on updates without a payload. The most updates change nothing of
-- what is watched: it looks for keys first, and for the segment where there are some.
-- Rows: none. Locks: none of the table's.
create or replace function {function}() returns trigger
language plpgsql security definer set search_path from current{settings} as $$
declare
  keys text[] := array(
    select e.key from (
    {events}) e);
  segment smallint;
begin
  if cardinality(keys) = 0 then
    return null;
  end if;
  select current into segment from event_segment;
  if segment = 0 then
    insert into event_0 (topic, key) select '{topic}', k from unnest(keys) k;
  elsif segment = 1 then
    insert into event_1 (topic, key) select '{topic}', k from unnest(keys) k;
  else
    insert into event_2 (topic, key) select '{topic}', k from unnest(keys) k;
  end if;
  return null;
end $$
