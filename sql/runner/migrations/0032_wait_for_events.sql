-- Effects wait for events without a worker. The dispatcher stores sent events, and wakes the runs that wait for them.

-- The events that send_event has sent and a worker has dispatched. Every run that waits for the topic and the key can
-- use the event, so the event is kept until purge-runs deletes it.
create table sent_event (
  -- Dispatches have one order, so an event with a higher number was never visible before an event with a lower number.
  number bigint generated always as identity primary key,
  topic text collate "C" not null,
  key text collate "C" not null,
  payload jsonb,
  dispatched_at timestamptz not null default pg_catalog.clock_timestamp()
);
create index sent_event_key on sent_event (topic, key, number);

-- The waits that the steps of a run have begun. A run with a wait also has a row in `run_checkpoint`. The result of the
-- wait is a row of `run_step`, which decides between the event and the timeout.
create table event_wait (
  run_id bigint not null,
  -- The name of the step.
  name text collate "C" not null,
  -- The job and the key of the run.
  job text collate "C" not null,
  run_key text collate "C" not null,
  topic text collate "C" not null,
  event_key text collate "C" not null,
  -- The domain time of the timeout, which later attempts do not change.
  expires_at timestamptz not null,
  -- The highest number of an event with the topic and the key when an attempt last searched for an event.
  seen bigint not null,
  -- The number of the event that this wait has used. Another wait of the run does not use the same event.
  event bigint,
  -- The attempt number of the run since the run waits without a worker for this event. Null: the run is executed, or the
  -- wait is decided. If the run has another attempt number, the run waits for another reason, such as a backoff.
  attempt integer,
  primary key (run_id, name)
);
create index event_wait_key on event_wait (topic, event_key) where attempt is not null;

-- Programs without this migration would dispatch sent events without storing them. The constraint makes this migration
-- incompatible with such programs.
alter table event_wait add constraint event_wait_decided check (event is null or attempt is null);
