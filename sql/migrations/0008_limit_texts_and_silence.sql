-- Texts that are too long or none are refused where they come in, by a named error that does not
-- repeat them whole. A key that no index can hold would stop every fold, and with it all jobs.

-- Whoever records an event in a trigger of their own meets this in the transaction that writes.
alter table event_0 add constraint event_key check (octet_length(key) between 1 and 256);
alter table event_1 add constraint event_key check (octet_length(key) between 1 and 256);
alter table event_2 add constraint event_key check (octet_length(key) between 1 and 256);

create or replace function check_workout_call(user_id text, workout_id text, revision integer)
returns void language plpgsql as $$
begin
  if user_id is null or octet_length(user_id) > 256 or workout_id is null
    or octet_length(workout_id) not between 1 and 256 or workout_id ~ '[\x01-\x1f\x7f]' then
    raise exception 'record_workout needs a user and a workout id of 1 to 256 bytes without control characters'
      using errcode = 'ZB002', hint = 'Nothing was written. Send an id that the client made once for this workout.';
  end if;
  if revision is null or revision < 0 then
    raise exception 'record_workout: revision % is not a number from 0 up', coalesce(revision::text, 'null')
      using errcode = 'ZB002', hint = 'Nothing was written. Send 0 for a new workout, more for an edit.';
  end if;
end $$;

create or replace function set_time_zone(user_id text, time_zone text) returns void
language plpgsql set search_path from current as $$
begin
  if not exists (select from pg_timezone_names where name = time_zone) then
    raise exception 'there is no time zone %', quote_nullable(left(time_zone, 64))
      using errcode = 'ZB003', hint = 'Nothing was changed. Send an IANA name, for example Europe/Athens.';
  end if;
  update users u
  set time_zone = set_time_zone.time_zone, time_zone_changed_at = domain_now()
  where u.id = user_id
    and (u.time_zone_changed_at is null
      or u.time_zone_changed_at <= domain_now() - interval '24 hours');
  if found then
    return;
  elsif exists (select from users u where u.id = user_id) then
    raise exception 'the time zone of user % was changed less than 24 hours ago', quote_literal(user_id)
      using errcode = 'ZB004', hint = 'Nothing was changed. Try again a day after the last change.';
  end if;
  raise exception 'there is no user %', quote_nullable(left(user_id, 64))
    using errcode = 'ZB001', hint = 'Nothing was changed. Create the user first.';
end $$;

create or replace function enqueue(job text, key text, payload jsonb default null) returns void
language plpgsql set search_path from current as $$
declare
  slot smallint := (select current from event_slot);
begin
  if not exists (select from job j where j.name = enqueue.job) then
    raise exception 'there is no job %', quote_nullable(left(job, 64))
      using errcode = 'ZB005', hint = 'Nothing was enqueued. `baton jobs` lists the jobs.';
  end if;
  if key is null or octet_length(key) not between 1 and 256 or key ~ '[\x01-\x1f\x7f]' then
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
end $$;

-- Workers that will not come back for their runs, as in 0002_create_queue.sql but for the silence: a
-- worker that nobody can see dying has beaten up to 5 s before, and its runs have to be with others
-- 20 s after its death at the latest.
create or replace view dead_worker as
select w.id
from worker w
where w.heartbeat_at < pg_catalog.now() - interval '18 seconds'
  or w.missing_since < pg_catalog.now() - interval '200 milliseconds'
    and w.id in (select id from missing_worker);
