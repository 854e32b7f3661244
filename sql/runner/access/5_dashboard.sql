-- Grants the dashboard role access to the state of the queue, but not to payloads and outputs. The dashboard reads keys
-- and errors through functions that redact personal data. The dashboard role uses functions instead of views, so that a
-- search can use columns that the role may not read.
grant usage on schema {schema} to {dashboard};
grant select on migration, runner_setting, schema_part, schema_object, access, job, job_alias, job_limit, job_activity,
  schedule_delay, worker, worker_death, event_position, development, program_release to {dashboard};
-- The payload and the key of a schedule are not readable. The function compares payloads with those of the program.
grant select (job, name, expression, time_zone, missed, next_at, last_at, last_fired_at, paused_at, in_development,
  source, until, is_new) on schedule to {dashboard};
grant execute on function is_other_payload to {dashboard};
-- The dashboard role must not read the name of the NOTIFY channel, because its messages contain run keys.
grant select (current, rotated_at) on event_segment to {dashboard};
-- This grant covers the number and the age of each job's runs and events, but no keys or payloads.
grant select (job, state, worker, due, first_event_at, priority, batch_limit, is_held, attempt, backoff_until)
  on run to {dashboard};
grant select (id, job, died_at) on dead_run to {dashboard};
grant select (id, xact, recorded_at) on event_0, event_1, event_2 to {dashboard};
grant select on own_position, dead_worker, gone_worker, missing_worker, waiting_schedule to {dashboard};
-- The dashboard reads these relations to check whether definitions, triggers and schema match. The readable columns
-- contain the names of topics, triggers and tables, but no personal data.
grant select on table_trigger, event_trigger, table_trigger_fault, table_trigger_state to {dashboard};
grant execute on function product_gauges, list_waiting_runs, list_running_runs, find_keyed_runs, list_dead_runs, list_ended_runs,
  group_dead_runs, read_run_life to {dashboard};
-- These relations contain the durations of runs, and the occurrences that fired or were skipped.
grant select (created_at, job, duration_ms) on run_history to {dashboard};
grant select on occurrence to {dashboard};
