-- Resumes a schedule that was created at run time. The schedule's policy decides which missed occurrences fire. The
-- function is idempotent, and runs with the definer's privileges. Locks: the schedule's row until COMMIT. Errors: ZB018
-- if the schedule does not exist or is declared by a program.
-- needs: require_made_schedule
create or replace function resume_schedule(job text, name text) returns void
language plpgsql security definer set search_path from current as $$
declare
  stored constant text := require_made_schedule(job, name);
begin
  update schedule s set paused_at = null where s.job = stored and s.name = resume_schedule.name;
end $$
