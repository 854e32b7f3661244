-- Returns the payloads that take_payloads would return, but does not assign the payloads, for a dry run. $1: the job's
-- name. $2: the ids of the runs. $3: the key of each run. Rows: one row for each payload, in the order of dispatch,
-- with the id of the run and the payload. Locks: none. Indexes: run_payload_pkey, run_payload_taken_by.
select c.run, p.payload::text
from unnest($2::bigint[], $3::text[]) as c (run, key), lateral (
  select id, payload from run_payload where taken_by = c.run
  union all
  (select id, payload from free_payload
    where job = $1 and key = c.key and not exists (select from run_payload where taken_by = c.run)
    order by id
    limit 1000)) p
order by c.run, p.id
