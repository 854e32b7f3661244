-- Locks a schedule that was created at run time, and returns the stored name of its job. Locks: the schedule's row.
-- Errors: ZB018 if the schedule does not exist or is declared by a program.
-- needs: lock_made_schedule
create or replace function require_made_schedule(job text, name text) returns text
language plpgsql as $$
declare
  stored constant text := lock_made_schedule(job, name);
begin
  if stored is null then
    raise exception 'the job % has no schedule %', quote_nullable(left(job, 64)), quote_nullable(left(name, 64))
      using errcode = 'ZB018', hint = 'Nothing was changed. The function `list_schedules` lists the schedules.';
  end if;
  return stored;
end $$
