-- Adds the missing turns of groups with held runs, for jobs with a rate limit for each group. A turn can be missing if
-- a rate limit was added to a job with group limits, or if a dispatch committed late. If a group has more than two due
-- turns, one new turn replaces them. $1 and $2: the job and the group after which the search begins. $3: the maximum
-- number of groups. $4: jobs. $5: for each element of $4, the due time at which the search for due turns begins. $6:
-- the due time for all other jobs. Rows: one row with the number of new turns, the last job, and the last group, which
-- is null if the search has ended. Locks: the new rows, and the removed rows, SKIP LOCKED. Indexes: run_held,
-- held_group_key.
with recursive held (job, group_key, number) as (
  (select r.job, r.group_key, 1 from run r
  where r.is_held and (r.job, r.group_key) > ($1, $2)
    and exists (select from job_limit where group_interval is not null)
  order by r.job, r.group_key limit 1)
  union all
  select n.job, n.group_key, h.number + 1 from held h, lateral (
    select r.job, r.group_key from run r
    where r.is_held and (r.job, r.group_key) > (h.job, h.group_key)
    order by r.job, r.group_key limit 1) n
  where h.number < $3
),
rated as materialized (
  select h.job, h.group_key from held h join job_limit l on l.job = h.job
  where l.group_interval is not null
),
-- A turn may become visible shortly after its due time, so the search begins one second earlier.
crowded as materialized (
  select r.job, r.group_key, min(t.due) as due, array_agg(t.place) as places
  from rated r, lateral (
    select coalesce((select m.due from unnest($4::text[], $5::timestamptz[]) m (job, due) where m.job = r.job),
      $6, '-infinity') - interval '1 second' as due) began,
  lateral (
    select t.ctid as place, t.due from held_group t
    where t.job = r.job and t.group_key = r.group_key and t.due >= began.due and t.due <= now()
    order by t.due, t.id limit 10000) t
  group by r.job, r.group_key
  having count(*) > 2
),
removed as (
  delete from held_group where ctid = any (array(
    select t.ctid from held_group t
    where t.ctid = any (array(select unnest(c.places) from crowded c))
    for update skip locked))
),
-- A claim that is in progress may remove the turns that it sees. It does not see the new turn, so the turn remains.
added as (
  insert into held_group (job, group_key, due)
  select r.job, r.group_key, now() from rated r
  -- The newest turn is read first, because removed turns remain in the index while an old transaction is open.
  where (select true from held_group t where t.job = r.job and t.group_key = r.group_key
    order by t.due desc limit 1) is null
  union all
  select job, group_key, due from crowded
  returning 1
)
select (select count(*) from added), last.job, last.group_key
from (select) one left join held last on last.number = $3
