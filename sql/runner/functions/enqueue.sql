-- Asks for a run of a job, from any language. It appends an event like any trigger: a ready run
-- inserted here, in a transaction that stays open, would stop every dispatcher at the primary key.
-- Too long texts are refused by a named error that does not repeat them whole.
create or replace function enqueue(job text, key text, payload jsonb default null) returns void
language plpgsql set search_path from current as $$
declare
  slot smallint := (select current from event_slot);
begin
  if not exists (select from job j where j.name = enqueue.job) then
    raise exception 'there is no job %', quote_nullable(left(job, 64))
      using errcode = 'ZB005', hint = 'Nothing was enqueued. The table job lists the jobs.';
  end if;
  if key is null or octet_length(key) not between 1 and 256 or key ~ e'[\\x01-\\x1f\\x7f]' then
    raise exception 'a key has 1 to 256 bytes and no control characters'
      using errcode = 'ZB006', hint = 'Nothing was enqueued. Give the key of one run.';
  end if;
  -- Every claim, retry and merge carries it along.
  if pg_column_size(payload) > 1048576 then
    raise exception 'a payload has at most 1 MiB; this one has % bytes', pg_column_size(payload)
      using errcode = 'ZB007', hint = 'Nothing was enqueued. Keep the data in a table and give its id.';
  end if;
  if slot = 0 then
    insert into event_0 (topic, key, payload) values ('enqueue/' || job, key, payload);
  elsif slot = 1 then
    insert into event_1 (topic, key, payload) values ('enqueue/' || job, key, payload);
  else
    insert into event_2 (topic, key, payload) values ('enqueue/' || job, key, payload);
  end if;
end $$
