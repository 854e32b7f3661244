-- Returns the number of additional runs of a job that may start now, or null if the number is not limited. The caller
-- must have called take_turn. All active claims of the job have the number `first_claim` or higher. In any period t, at
-- most burst + t / interval runs start (generic cell rate algorithm, ITU-T I.371). The function reads the server's
-- clock, because the transaction may have begun long before take_turn got the lock. Workers of the previous release
-- write the rested_at column.
create or replace function claim_room(job text, first_claim bigint default 0) returns integer
language sql stable
return (
  select greatest(0, least(
    l.concurrency - (
      select count(*) from run r
      where r.job = l.job and r.state = 'running' and (r.group_key is null) is false
        and r.claim_number >= claim_room.first_claim),
    l.burst - ceil(extract(epoch from greatest('0', greatest(l.rested_at, (
        -- ORDER BY contains all columns of the index, so that the planner can use the index.
        select s.rested_at from limit_start s where s.job = l.job and s.group_key is null and s.rested_at > now()
        order by s.job desc, s.group_key desc, s.rested_at desc limit 1)) - clock_timestamp()))
      / extract(epoch from l.start_interval))))::integer
  from job_limit l
  where l.job = claim_room.job
    and (l.concurrency is not null or l.start_interval is not null))
