-- Requests the cancellation of a run, together with the calls that were merged into it. `id`, `job` and `key` have the
-- same meaning as in run_state. The request is part of the caller's transaction, and a worker cancels the run after
-- COMMIT. If the run ends before a worker cancels it, the request has no effect. Errors: ZB005, 42501. Locks: the new
-- row.
-- needs: granted_job
create or replace function cancel_run(id bigint, job text, key text default null) returns void
language plpgsql security definer set search_path from current as $$
declare
  waking bigint;
begin
  insert into cancel_request (run_id, job, key)
  values (cancel_run.id, granted_job(cancel_run.job, true), coalesce(cancel_run.key, '#' || cancel_run.id));
  select wake_key into waking from event_target;
  -- If another session holds the advisory lock `waking`, a worker is already awake or being woken.
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
end $$
