-- How many more runs of a job may start now; null: any number. Whoever claims by it has the job's turn.
-- A burst may start where none did for long enough, and one more with each interval: in any time t as many as
-- burst + t / interval at most (the generic cell rate algorithm, ITU-T I.371). By the clock and not by the
-- transaction's time, which began before the wait for the turn.
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
