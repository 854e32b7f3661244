-- Pauses a schedule that was made at run time. Occurrences during a pause count as missed.
-- The function can be repeated, and has the privileges of the definer. Locks: the row of the schedule until COMMIT.
-- Errors: ZB018 if no such schedule exists, or if a program declares the schedule.
-- needs: require_made_schedule
create or replace function pause_schedule(job text, name text) returns void
language plpgsql security definer set search_path from current as $$
declare
  stored constant text := require_made_schedule(job, name);
begin
  update schedule s set paused_at = coalesce(s.paused_at, domain_now()) where s.job = stored and s.name = pause_schedule.name;
end $$
