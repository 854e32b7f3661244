-- What the run of a deadline does: ends the presence where its time is over, else arms the run of a later deadline. For
-- the job; a run that finds neither has come in vain. Locks: presences in order of id, their visits. Index: presence_id.
create or replace function check_out_due(ids bigint[]) returns void
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  at constant timestamptz := domain_now();
begin
  perform settle_presences(ids, at);
  perform from presence p where p.id = any (ids) order by p.id for update;
  -- Null too: nobody is to believe that this run is still to come.
  update presence p set armed_at = p.deadline where p.id = any (ids) and p.armed_at is distinct from p.deadline;
  perform enqueue('auto-check-out', p.id::text, run_at => p.deadline)
  from presence p
  where p.id = any (ids) and p.deadline is not null;
end $$
