-- Returns the payloads of a run, for an operator. If the job reads all payloads, the statement returns the payloads
-- that are assigned to the run, or that the next claim would assign. The next attempt can receive fewer payloads,
-- because a claim returns at most 1,000 payloads and 4 MiB (peek_payloads). $1: the run's id. $2: the job's name. $3:
-- the run's key. Rows: one row for each payload, in dispatch order, with the payload as indented JSON and the number of
-- all payloads. At most 100 payloads and 4 MiB are returned. The first payload is always returned, even if it is larger
-- than 4 MiB. Locks: none. Indexes: run_pkey, dead_run_pkey, run_payload_pkey, run_payload_taken_by.
with one as (
  select payload, replaced_by, payload_event from run where job = $2 and key = $3 and id = $1
  union all
  select payload, null, null from dead_run where id = $1
),
taken as (
  select id, payload from run_payload where taken_by = $1
),
free as (
  select id, payload from free_payload
  where job = $2 and key = $3 and not exists (select from taken)
    and exists (select from run where job = $2 and key = $3 and state = 'ready' and id = $1)
    and id >= coalesce((select replaced_by from one), 0) and id <= coalesce((select payload_event from one), id)
  order by id
  limit 1000
),
-- If the run has free payloads, but its own payload is not stored, the next claim stores it (add_payloads).
own as (
  select payload_event as id, payload from one
  where payload is not null and payload_event is not null and (select count(*) from free) between 1 and 999
    and (select true from run_payload p where p.job = $2 and p.key = $3 and p.id = payload_event) is null
),
carried as (
  select id, payload from taken
  union all
  select id, payload from free
  union all
  select id, payload from own
  union all
  select 0, payload from one
  where payload <> 'null' and not exists (select from taken) and not exists (select from free)
),
counted as (
  select id, jsonb_pretty(payload) as text, row_number() over (order by id) as number,
    sum(pg_column_size(payload)) over (order by id) as size, count(*) over () as number_of_all
  from carried
)
select text, number_of_all
from counted
where number = 1 or number <= 100 and size <= 4194304
order by number
