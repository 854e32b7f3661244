-- Retires a job, or undoes the retirement. A retired job gets no runs from events, calls or schedules. $1: the job's
-- name. $2: true to retire the job, false to undo the retirement. Retiring a job deletes those of its schedules that a
-- program declares. After a retirement is undone, a program that has the job stores its schedules again. Schedules that
-- were created at run time remain, but do not fire until the retirement is undone. Rows: one row with a boolean that is
-- true if the job was already retired, and the number of deleted schedules. If the job does not exist, no rows are
-- returned. Locks: the rows of the job and its schedules.
with before as (
  select name, retired_at is not null as was_retired from job where name = $1 for update
),
changed as (
  update job j
  set retired_at = case when $2 then coalesce(j.retired_at, now()) end
  from before b
  where j.name = b.name and b.was_retired <> $2
),
deleted as (
  delete from schedule where job = (select name from before) and $2 and source = 'program' returning job
)
select was_retired, (select count(*) from deleted) from before
