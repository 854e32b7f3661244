-- Locks waiting runs before they are removed, in the same order in which the `fold` statement locks ready runs. If a
-- dispatch is merging an earlier call into one of the runs, the statement waits for the dispatch. Only statements that
-- begin after this statement see the payload of a call that the dispatch has merged. This statement and a dispatch can
-- lock parked runs in different orders, so a deadlock is possible (decision 30). $1: the run ids. $2: the jobs of the
-- runs. $3: the run keys. Rows: the ids of the runs. Locks: the runs. Index: run_pkey.
select w.id
from (select distinct a.job, a.key from unnest($2::text[], $3::text[]) a (job, key) order by a.job, a.key) a,
lateral (
  -- With a join, a plan that was made on an empty table would read all runs.
  select r.id from run r
  where r.job = a.job and r.key = a.key and (r.worker is null) is true and r.id = any ($1)
  order by r.id
  for update) w
