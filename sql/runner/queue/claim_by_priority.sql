-- Claims due runs of a job with several priorities or a rate limit, most urgent runs first. If $5 is true, the priority
-- whose first due run is the oldest comes first, so that no run waits forever. $1: the job's name. $2: the maximum
-- number of runs. $3: the fencing token. $4: the worker's id. $6: priorities. $7 and $8: for each element of $6, the
-- due time and the id at which the search begins. $9: the due time at which the search begins for all other priorities
-- (fragment front). $10: true if the caller has called take_turn. The statement claims no runs if the job's groups have
-- limits, or if $10 is false and the job has limits. Rows: the columns of the claimed_run fragment. Locks: the claimed
-- runs, SKIP LOCKED. Less urgent priorities are read only if more urgent ones have too few runs. Index: run_ready.
update run r
set state = 'running', attempt = r.attempt + 1, token = $3, worker = $4,
  claim_number = (select nextval('claim_number_seq')),
  group_key = coalesce(r.group_key, (select '' from job_limit where job = $1))
where r.ctid = any (array(
  select w.place
  from (
    select p.priority, coalesce(m.due, $9, '-infinity') as due, coalesce(m.id, 0) as id
    from job, unnest(priorities) p (priority)
    left join unnest($6::integer[], $7::timestamptz[], $8::bigint[]) m (priority, due, id) on m.priority = p.priority,
    lateral (
      select due from due_run w
      where w.job = $1 and w.batch_limit = 0 and w.priority = p.priority
        and (w.due, w.id) >= (coalesce(m.due, $9, '-infinity'), coalesce(m.id, 0))
      order by w.due, w.id limit 1) oldest
    where name = $1 and paused_at is null
      and not exists (
        select from job_limit
        where job = $1 and (not $10 or group_concurrency is not null or group_interval is not null))
    order by case when $5 then oldest.due end, p.priority) p,
  lateral (
    select w.place from due_run w
    where w.job = $1 and w.batch_limit = 0 and w.priority = p.priority and w.is_free
      and (w.due, w.id) >= (p.due, p.id)
    order by w.due, w.id
    limit $2
    for update skip locked) w
  limit $2))
returning
  -- include: claimed_run
