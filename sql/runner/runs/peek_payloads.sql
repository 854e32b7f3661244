-- The payloads that take_payloads would return, without taking them, for a dry run. $1 job, $2 ids, $3 keys. Rows: one
-- per payload, in order: id of the run, payload. Locks: none. Indexes: run_payload_pkey, run_payload_taken_by.
select c.run, p.payload::text
from unnest($2::bigint[], $3::text[]) as c (run, key), lateral (
  select id, payload from run_payload where taken_by = c.run
  union all
  (select id, payload from free_payload
    where job = $1 and key = c.key and not exists (select from run_payload where taken_by = c.run)
    order by id
    limit 1000)) p
order by c.run, p.id
