-- Asking for a job by hand, from any language, and what an event needs to reach its job.

-- Which triggers record the events of a topic; `baton check` compares this with what is there.
create table event_source (
  topic text collate "C" not null,
  relation text not null,
  trigger_name text not null,
  primary key (topic, relation, trigger_name)
);
insert into event_source (topic, relation, trigger_name)
values
  ('entry.changed', 'entry', 'entry_inserted'),
  ('entry.changed', 'entry', 'entry_updated'),
  ('entry.changed', 'entry', 'entry_deleted');

-- Asks for a run of a job. It appends an event like any trigger: a ready run inserted here, in a
-- transaction that stays open, would stop every dispatcher at the primary key.
create function enqueue(job text, key text, payload jsonb default null) returns void
language plpgsql set search_path from current as $$
declare
  slot smallint := (select current from event_slot);
begin
  if not exists (select from job j where j.name = enqueue.job) then
    raise exception 'there is no job %', quote_nullable(job)
      using errcode = 'ZB005', hint = 'Nothing was enqueued. `baton jobs` lists the jobs.';
  end if;
  if key is null or octet_length(key) not between 1 and 256 or key ~ '[\x01-\x1f\x7f]' then
    raise exception 'a key has 1 to 256 bytes and no control characters'
      using errcode = 'ZB006', hint = 'Nothing was enqueued. Give the key of one run.';
  end if;
  if slot = 0 then
    insert into event_0 (topic, key, payload) values ('enqueue/' || job, key, payload);
  elsif slot = 1 then
    insert into event_1 (topic, key, payload) values ('enqueue/' || job, key, payload);
  else
    insert into event_2 (topic, key, payload) values ('enqueue/' || job, key, payload);
  end if;
end $$;
