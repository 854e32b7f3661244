-- Claims due runs of one job whose runs have several priorities, or whose starts are limited. The most urgent runs come
-- first. If $5 is true, the priority with the longest waiting run comes first, so that no run waits forever. $1 job, $2
-- how many, $3 token, $4 worker, $5 whether age decides. Rows: id, key, payload, attempt, due, first event, place,
-- origin, trace. Locks: the runs, SKIP LOCKED, and only those that it claims: a priority is read only if the ones
-- before it were not enough. Index: run_ready.
update run r
set state = 'running', attempt = r.attempt + 1, token = $3, worker = $4,
  group_key = coalesce(r.group_key, (select '' from job_limit where job = $1))
where r.ctid = any (array(
  select w.place
  from (
    select p.priority
    from job, unnest(priorities) p (priority), lateral (
      select due from due_run w
      where w.job = $1 and w.batch_limit = 0 and w.priority = p.priority
      order by w.due limit 1) oldest
    where name = $1 and paused_at is null
    order by case when $5 then oldest.due end, p.priority) p,
  lateral (
    select w.place from due_run w
    where w.job = $1 and w.batch_limit = 0 and w.priority = p.priority and w.is_free
    order by w.due
    limit $2
    for update skip locked) w
  limit $2))
returning r.id, r.key, r.payload::text, r.attempt, r.due, least(r.first_event_at, r.asked_at),
  r.ctid, r.origin, r.trace
