-- Estimates how many waiting and running runs each job has, from about 100 pages of the `run` table. Baton uses the
-- statement if there are too many runs to count. If the `run` table has at most 100 pages, the statement reads the
-- whole table. The estimated numbers can be wrong by 20 %. If the server's statistics are close to the sample, the
-- statement uses the statistics, which are more precise. Rows: job, due runs, runs that are due later, running runs.
-- Locks: none. Index: none.
with share as materialized (
  select least(100, 10000.0 / pages)::real as percent
  from (select pg_relation_size('run'::regclass) / current_setting('block_size')::bigint as pages) size
  where pages > 100
),
sampled as materialized (
  select job, count(*) filter (where worker is null and due <= now()) as ready,
    count(*) filter (where worker is null and due > now()) as delayed,
    count(worker) as running
  from run tablesample system (coalesce((select percent from share), 0))
  where (select percent from share) is not null
  group by job
),
scale as materialized (
  select case when live between rows * 100 / percent / 1.4 and rows * 100 / percent * 1.4
    then live / rows else 100 / percent end as factor
  from share, (select sum(ready + delayed + running)::double precision as rows from sampled) s,
    (select pg_stat_get_live_tuples('run'::regclass)::double precision as live) l
)
select job, (ready * factor)::bigint, (delayed * factor)::bigint, (running * factor)::bigint
from sampled, scale
