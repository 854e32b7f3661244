-- Reads the progress of work. It reads no payload or output of a job, and reads keys and errors only through
-- functions that redact personal data. They are functions, not views, so that hidden columns can find the rows.
grant usage on schema {schema} to {dashboard};
grant select on migration, schema_part, schema_object, access, job, job_limit, job_activity, schedule,
  schedule_delay, worker, worker_death, event_segment, event_position, development to {dashboard};
-- How many runs and events there are, of which job, and how old: no column that contains keys or payloads.
grant select (job, state, due, first_event_at, priority, batch_limit, is_held, attempt, backoff_until) on run to {dashboard};
grant select (id, job, died_at) on dead_run to {dashboard};
grant select (id, xact, recorded_at) on event_0, event_1, event_2 to {dashboard};
grant select on own_position, dead_worker, missing_worker, waiting_schedule to {dashboard};
-- Whether definitions, triggers and schema agree: the names of topics, triggers and tables.
grant select on table_trigger, event_trigger, table_trigger_fault, table_trigger_state to {dashboard};
grant execute on function product_gauges, list_waiting_runs, list_running_runs, find_keyed_runs, list_dead_runs, list_ended_runs,
  group_dead_runs, read_run_life to {dashboard};
-- How long work took, and which occurrences were fired or skipped.
grant select (created_at, job, duration_ms) on run_history to {dashboard};
grant select on occurrence to {dashboard};
