-- Returns the calls that a run contains. If the `calls` column is null, the run has one call, which the run's columns
-- describe.
create or replace function calls_of(of_run run) returns run_call[]
language sql immutable
return coalesce(of_run.calls, array[row(coalesce(of_run.newest_event, 0),
  coalesce(of_run.last_event_at, of_run.asked_at), of_run.run_at, of_run.priority)::run_call])
