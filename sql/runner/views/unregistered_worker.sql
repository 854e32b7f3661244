-- Contains the ids of unregistered workers that have running runs, for example after a restore without the rows of the
-- `worker` table. The view searches the run_running index only between the ids of registered workers. While an old
-- transaction is open, the index contains an entry for each run that a registered worker has completed.
create or replace view unregistered_worker with (security_invoker = true) as
with recursive gap as (
  select k.id as low, lead(k.id, 1, 'ffffffff-ffff-ffff-ffff-ffffffffffff') over (order by k.id) as high
  -- Without the alias, a restored dump would contain another definition than the view.
  from (select id from worker union all select '00000000-0000-0000-0000-000000000000'::uuid as id) k
),
found (id, high) as (
  select f.worker, g.high from gap g, lateral (
    select r.worker from run r
    where r.worker is not null and r.worker > g.low and r.worker < g.high
    order by r.worker limit 1) f
  union all
  select n.worker, f.high from found f, lateral (
    select r.worker from run r
    where r.worker is not null and r.worker > f.id and r.worker < f.high
    order by r.worker limit 1) n
)
select id from found
