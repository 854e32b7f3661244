-- Returns the number of runs of a job with limits that may start now. The caller must have called take_turn. $1: the
-- job's name. $2: a claim number. No active claim of the job has a lower number. Rows: one row. Column 1: the number of
-- runs that may start (null: unlimited). Column 2: true if the job or its groups have a rate limit. Column 3: true if
-- the groups have a rate limit. Column 4: the lowest claim number of an active claim. Claims of the job are never
-- concurrent, so later claims have higher numbers. Locks: none. Indexes: run_claimed, limit_start_newest.
select
  -- If only the job's groups are limited, the function is not called.
  case when exists (select from job_limit where job = $1 and (concurrency is not null or start_interval is not null))
    then claim_room($1, $2) end,
  exists (select from job_limit where job = $1 and (start_interval is not null or group_interval is not null)),
  exists (select from job_limit where job = $1 and group_interval is not null),
  -- Runs that were claimed without a number have the highest possible number. A later claim has a lower number, so the
  -- result is never higher than the last number of the sequence.
  least((
    select r.claim_number from run r
    where r.job = $1 and r.state = 'running' and (r.group_key is null) is false and r.claim_number >= $2
    order by r.claim_number limit 1), (select last_value from claim_number_seq))
