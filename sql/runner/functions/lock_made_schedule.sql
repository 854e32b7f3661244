-- Locks a schedule that was created at run time, and returns the stored name of its job. Returns null if the schedule
-- does not exist. Locks: the schedule's row. Errors: ZB018 if a program declares the schedule.
create or replace function lock_made_schedule(job text, name text) returns text
language plpgsql as $$
declare
  stored text := coalesce((select a.job from job_alias a where a.name = lock_made_schedule.job), job);
  source text;
begin
  select s.source into source
  from schedule s
  where s.job = stored and s.name = lock_made_schedule.name
  for update;
  if source = 'program' then
    raise exception 'a program declares the schedule % of the job %', quote_literal(left(name, 64)),
        quote_literal(left(stored, 64))
      using errcode = 'ZB018',
        hint = 'Nothing was changed. The command `schedule` pauses it, and a new release of the program removes it.';
  end if;
  return case when source is not null then stored end;
end $$
