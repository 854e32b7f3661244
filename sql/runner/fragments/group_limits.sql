-- Returns the limits of each group of the job $1: the number of concurrent runs, the time between two starts, and the
-- burst. If the groups' limits were removed while groups still have held runs, all columns are null. Rows: one row, as
-- a subquery of the statement that includes the fragment. Locks: none.
  select l.group_concurrency as runs, l.group_interval as step, l.group_burst as burst
  from (select) one left join job_limit l on l.job = $1
