-- Dead runs by job, among the newest 10,001, and an estimate for all jobs. Rows: job, dead runs, counted for all jobs,
-- estimated for all jobs. Locks: none. Index: dead_run_pkey.
select job, count(*), sum(count(*)) over ()::bigint,
  pg_stat_get_live_tuples('dead_run'::regclass)
from (select job from dead_run order by id desc limit 10001) newest
group by job
order by job
