-- Appends one event for each key to the current segment of the log. Plain static SQL: it is in the write
-- path.
create or replace function append_events(event_topic text, keys text[]) returns void
language plpgsql as $$
declare
  segment smallint := (select current from event_segment);
begin
  if segment = 0 then
    insert into event_0 (topic, key) select event_topic, k from unnest(keys) k;
  elsif segment = 1 then
    insert into event_1 (topic, key) select event_topic, k from unnest(keys) k;
  else
    insert into event_2 (topic, key) select event_topic, k from unnest(keys) k;
  end if;
end $$
