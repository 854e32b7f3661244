-- Counts started runs toward the rate limits of a job and of the job's groups. The caller must have called take_turn,
-- so no other session reads or adds starts of the job. $1: the job's name. $2: the ctids of the started runs. Rows:
-- none. Locks: the new rows. Index: limit_start_newest. The statement reads the server's clock, because the transaction
-- may have begun long before take_turn got the lock. The statement reads only start times in the future. While an old
-- transaction is open, the index can contain many entries of deleted start times in the past.
with started as materialized (
  select r.group_key, count(*) as starts from run r where r.ctid = any ($2::tid[]) group by r.group_key
)
insert into limit_start (job, group_key, rested_at)
-- Workers of the previous release write l.rested_at.
select l.job, null, greatest(clock_timestamp(), l.rested_at, (
    -- ORDER BY contains all columns of the index, so that the planner can use the index.
    select s.rested_at from limit_start s where s.job = $1 and s.group_key is null and s.rested_at > now()
    order by s.job desc, s.group_key desc, s.rested_at desc limit 1))
  + cardinality($2::tid[]) * l.start_interval
from job_limit l
where l.job = $1 and l.start_interval is not null
union all
select l.job, g.group_key, greatest(clock_timestamp(), (
    select s.rested_at from limit_start s where s.job = $1 and s.group_key = g.group_key and s.rested_at > now()
    order by s.rested_at desc limit 1))
  + g.starts * l.group_interval
from job_limit l, started g
where l.job = $1 and l.group_interval is not null
