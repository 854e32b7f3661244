-- Counts the 10,001 most recent dead runs by job. Rows: the job, the job's number of dead runs, the number of counted
-- dead runs of all jobs, and the server's estimate for all jobs. Locks: none. Index: dead_run_pkey.
select job, count(*), sum(count(*)) over ()::bigint,
  pg_stat_get_live_tuples('dead_run'::regclass)
from (select job from dead_run order by id desc limit 10001) newest
group by job
order by job
