-- The work of a deadline's run: if the time of the presence is over, it ends the presence; if the deadline was moved,
-- it schedules the next run. For the job. If the presence needs neither, the run changes nothing. Locks: presences in
-- order of id, their visits. Index: presence_id.
create or replace function check_out_due(ids bigint[]) returns void
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  at constant timestamptz := domain_now();
begin
  perform settle_presences(ids, at);
  perform from presence p where p.id = any (ids) order by p.id for update;
  -- Also set to null, so that no later call assumes that this run is still scheduled.
  update presence p set armed_at = p.deadline where p.id = any (ids) and p.armed_at is distinct from p.deadline;
  perform enqueue('auto-check-out', p.id::text, run_at => p.deadline)
  from presence p
  where p.id = any (ids) and p.deadline is not null;
end $$
