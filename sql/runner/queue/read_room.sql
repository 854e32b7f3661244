-- Returns how many runs of a job with limits may start now. The caller must have called take_turn. $1 is the job. Rows:
-- one row with the number (null: the number is not limited), whether the job or its groups have a rate, and whether its
-- groups have one. Locks: none. Indexes: run_limited, limit_start_newest.
select claim_room($1),
  exists (select from job_limit where job = $1 and (start_interval is not null or group_interval is not null)),
  exists (select from job_limit where job = $1 and group_interval is not null)
