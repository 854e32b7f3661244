-- Returns how many runs of a job with limits may start now. The caller must have called take_turn. $1: the job. $2: a
-- number before which no claim of the job runs. Rows: one row with the number of runs (null: the number is not
-- limited), whether the job or its groups have a rate, whether its groups have one, and the number of the first claim
-- that still runs. Later claims have higher numbers, because claims of the job run one after another. Locks: none.
-- Indexes: run_claimed, limit_start_newest.
select claim_room($1, $2),
  exists (select from job_limit where job = $1 and (start_interval is not null or group_interval is not null)),
  exists (select from job_limit where job = $1 and group_interval is not null),
  coalesce((
    select r.claim_number from run r
    where r.job = $1 and r.state = 'running' and (r.group_key is null) is false and r.claim_number >= $2
    order by r.claim_number limit 1), (select last_value from claim_number_seq))
