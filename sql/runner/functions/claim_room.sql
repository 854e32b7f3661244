-- Returns how many more runs of a job may start now, or null if the number is not limited. The caller must have called
-- take_turn. In any time t, at most burst + t / interval runs start (generic cell rate algorithm, ITU-T I.371). The
-- function reads the clock, because the transaction may have waited in take_turn.
create or replace function claim_room(job text) returns integer
language sql stable
return (
  select greatest(0, least(
    l.concurrency - (
      select count(*) from run r
      where r.job = l.job and r.state = 'running' and r.group_key is not null),
    l.burst - ceil(extract(epoch from greatest('0', l.rested_at - clock_timestamp()))
      / extract(epoch from l.start_interval))))::integer
  from job_limit l
  where l.job = claim_room.job
    and (l.concurrency is not null or l.start_interval is not null))
