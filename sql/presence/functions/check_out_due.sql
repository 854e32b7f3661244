-- Executes a run of the `auto-check-out` job. If a presence has expired, the function ends the presence. If the
-- deadline was postponed, the function schedules a run at the new deadline. Locks: the presences in order of id, and
-- the visits of the presences. Index: presence_id.
create or replace function check_out_due(ids bigint[]) returns void
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  at constant timestamptz := domain_now();
begin
  perform require_read_committed();
  perform settle_presences(ids, at);
  perform from presence p where p.id = any (ids) order by p.id for update;
  -- The `armed_at` column contains the time of the next scheduled run, or null if the presence has no deadline.
  update presence p set armed_at = p.deadline where p.id = any (ids) and p.armed_at is distinct from p.deadline;
  perform enqueue('auto-check-out', p.id::text, run_at => p.deadline)
  from presence p
  where p.id = any (ids) and p.deadline is not null;
end $$
