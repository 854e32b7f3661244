-- Estimates how many runs of each job wait and run, from some 100 pages of the table, if there are too many to count. A
-- table of at most 100 pages has fewer than 10,000 runs and is not sampled. So small a sample may be wrong by a fifth.
-- The server's statistics know the sum better and are used if they are near the sample. If they are not, they are old,
-- were reset, or count the rows of an insert twice: once by ANALYZE and once by the inserting session, which reports up
-- to a second later. Rows: job, due, due later, running. Locks: none. Index: none, a sample of the table.
with share as materialized (
  select least(100, 10000.0 / pages)::real as percent
  from (select pg_relation_size('run'::regclass) / current_setting('block_size')::bigint as pages) size
  where pages > 100
),
sampled as materialized (
  select job, count(*) filter (where state = 'ready' and due <= now()) as ready,
    count(*) filter (where state = 'ready' and due > now()) as delayed,
    count(*) filter (where state = 'running') as running
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
