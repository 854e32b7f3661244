-- Lists requests of cancel_run, oldest first, with the state of each run. $1: the maximum number of requests. $2: the
-- id of the request after which the list starts. Rows: the id of the request, and the id, job, key and state of the
-- run. The state is ready, running, dead, or unfolded if the call has not been dispatched yet. If the run has ended,
-- the state is ended. While the position of the log is not complete, each run that does not exist counts as unfolded,
-- because a search would read the whole backlog. After a restore into another cluster, the same applies until the log
-- is dispatched. Locks: none. Indexes: cancel_request_pkey, run_pkey, dead_run_key.
with request as materialized (
  select * from cancel_request where id > $2 order by id limit $1
),
position as materialized (
  select base is null and partial is null and deferred is null as is_complete
  from event_position order by id desc limit 1
),
pending as materialized (
  select run_id, topic, key from unfolded_event
  where (select is_complete from position) and run_id = any (array(select run_id from request))
)
select q.id, coalesce(f.id, q.run_id), q.job, q.key, coalesce(f.state, 'ended')
from request q
left join lateral (
  select r.id, case when r.worker is null then 'ready' else 'running' end as state from run r
  where r.job = q.job and r.key = q.key and (r.id = q.run_id or q.run_id = any (r.earlier_ids))
  union all
  select d.id, 'dead' from dead_run d
  where d.job = q.job and d.key = q.key and (d.id = q.run_id or q.run_id = any (d.earlier_ids))
  union all
  select p.run_id, 'unfolded' from pending p
  where p.run_id = q.run_id and p.topic = 'enqueue/' || q.job and p.key = q.key
  union all
  select q.run_id, 'unfolded'
  where not exists (select from own_position) or not (select is_complete from position)
  limit 1) f on true
order by q.id
