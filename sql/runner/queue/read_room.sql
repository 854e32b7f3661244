-- Returns the number of runs of a job with limits that may start now. The caller must have called take_turn. $1: the
-- job's name. $2: a lower bound for the numbers of the job's active claims. Rows: one row with the number of runs
-- (null: unlimited), two booleans, and the number of the first active claim. The first boolean is true if the job or
-- its groups have a rate limit, and the second boolean is true if the groups have a rate limit. Claims of the job are
-- never concurrent, so later claims have higher numbers. Locks: none. Indexes: run_claimed, limit_start_newest.
select claim_room($1, $2),
  exists (select from job_limit where job = $1 and (start_interval is not null or group_interval is not null)),
  exists (select from job_limit where job = $1 and group_interval is not null),
  coalesce((
    select r.claim_number from run r
    where r.job = $1 and r.state = 'running' and (r.group_key is null) is false and r.claim_number >= $2
    order by r.claim_number limit 1), (select last_value from claim_number_seq))
