-- Every schedule, by job. Rows: job, name, paused?, when it fires next (null: never again, or it follows another
-- clock), by how many ms it is late (null: it is not late). Locks: none. Index: schedule_pkey.
select s.job, s.name, s.paused_at is not null, w.fires_at,
  case when w.fires_at < domain_now() then
    (extract(epoch from domain_now() - w.fires_at) * 1000)::bigint end
from schedule s
left join waiting_schedule w using (job, name)
order by s.job, s.name
