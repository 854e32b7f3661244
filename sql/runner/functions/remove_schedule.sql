-- Deletes a schedule that was created at run time, and returns whether the schedule existed. Workers delete the
-- recorded occurrences of a deleted schedule seven days after they fired. Runs that are already enqueued remain. The
-- function runs with the definer's privileges. Locks: the schedule's row. Errors: ZB018 if a program declares the
-- schedule.
-- needs: lock_made_schedule
create or replace function remove_schedule(job text, name text) returns boolean
language plpgsql security definer set search_path from current as $$
declare
  stored constant text := lock_made_schedule(job, name);
begin
  delete from schedule s where s.job = stored and s.name = remove_schedule.name;
  return stored is not null;
end $$
