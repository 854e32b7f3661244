-- Claims one due run that must be the only run in a worker process, because two workers died while executing it. The
-- statement claims the most urgent run, or the oldest of several equally urgent runs. $1: the job's name. $2: the
-- fencing token. $3: the worker's id. $4: a claim number. No active claim of the job has a lower number. Rows: at most
-- one row, with the columns of the claimed_run fragment. Locks: the run, SKIP LOCKED. Index: run_ready. The statement
-- does not read runs that are not due yet.
with full_group as materialized (
  select f.group_key from (select -1 as low, -1 as high, $4::bigint as first_claim) own, lateral (
  -- include: full_group
  ) f
)
update run r
set state = 'running', attempt = r.attempt + 1, token = $2, worker = $3,
  claim_number = (select nextval('claim_number_seq')),
  group_key = coalesce(r.group_key, case when (select count(*) > 0 from job_limit where job = $1)
    then run_group($1, r.key, r.payload) end)
where r.ctid = any (array(
  select w.place
  from (
    select p.priority from job, unnest(priorities) p (priority)
    where name = $1 and paused_at is null
    order by p.priority) p, lateral (
    select w.place from due_run w
    where w.job = $1 and w.batch_limit = -1 and w.priority = p.priority and w.is_free
      and (not exists (select from full_group)
        or coalesce(w.group_key, run_group($1, w.key, w.payload), '') not in (select group_key from full_group))
    order by w.due
    limit 1
    for update skip locked) w
  limit 1))
returning
  -- include: claimed_run
