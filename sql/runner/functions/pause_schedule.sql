-- Pauses a schedule that was created at run time. Occurrences during a pause count as missed. The function is
-- idempotent, and runs with the definer's privileges. Locks: the schedule's row until COMMIT. Errors: ZB018 if the
-- schedule does not exist or is declared by a program.
-- needs: require_made_schedule
create or replace function pause_schedule(job text, name text) returns void
language plpgsql security definer set search_path from current as $$
declare
  stored constant text := require_made_schedule(job, name);
begin
  update schedule s set paused_at = coalesce(s.paused_at, domain_now()) where s.job = stored and s.name = pause_schedule.name;
end $$
