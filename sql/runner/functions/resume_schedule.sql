-- Resumes a schedule that was made at run time. The schedule's policy decides which missed occurrences run.
-- The function can be repeated, and has the privileges of the definer. Locks: the row of the schedule until COMMIT.
-- Errors: ZB018 if no such schedule exists, or if a program declares the schedule.
-- needs: lock_made_schedule
create or replace function resume_schedule(job text, name text) returns void
language plpgsql security definer set search_path from current as $$
declare
  stored constant text := lock_made_schedule(job, name);
begin
  if stored is null then
    raise exception 'the job % has no schedule %', quote_nullable(left(job, 64)), quote_nullable(left(name, 64))
      using errcode = 'ZB018', hint = 'Nothing was changed. The function `list_schedules` lists the schedules.';
  end if;
  update schedule s set paused_at = null where s.job = stored and s.name = resume_schedule.name;
end $$
