-- Returns the payloads that a claim would return (limit_payloads, add_payloads and take_payloads), for a dry run. The
-- statement changes nothing. $1: the job's name. $2: the run ids. $3: the run keys. Rows: one row for each payload, in
-- dispatch order, with the id of the run and the payload. Locks: none. Indexes: run_pkey, run_payload_pkey,
-- run_payload_taken_by.
with claimed as materialized (
  select c.run, c.key, coalesce(r.replaced_by, 0) as replaced_by, r.payload_event, r.payload, r.has_checkpoint,
    case when not exists (select from run_payload p where p.taken_by = c.run)
      -- A run with a checkpoint gets no new payloads.
      and r.has_checkpoint is null and r.payload_event is not null
      then least(last_payload($1, c.key, r.replaced_by), r.payload_event) end as last
  from unnest($2::bigint[], $3::text[]) as c (run, key)
  left join run r on r.job = $1 and r.key = any ($3) and r.key = c.key and r.id = c.run
)
select c.run, p.payload::text
from claimed c, lateral (
  (select id, payload
  from (
    select id, payload, row_number() over (order by id) as number,
      sum(octet_length(payload::text)) over (order by id) as size
    from run_payload
    where taken_by = c.run) taken
  where c.has_checkpoint or number = 1 or number <= 1000 and size <= 4194304)
  union all
  (select id, payload
  from (
    select id, payload from free_payload
    where job = $1 and key = c.key and id >= c.replaced_by and id <= c.last
    union all
    -- If the run's own payload is not stored, add_payloads would store it.
    select c.payload_event, c.payload
    where c.last is not null and c.payload is not null
      and (
        select true from run_payload o where o.job = $1 and o.key = c.key and o.id = c.payload_event) is null
      and (
        select true from free_payload f
        where f.job = $1 and f.key = c.key and f.id > c.last and f.id < c.payload_event
        limit 1) is null
      and octet_length(c.payload::text) + (
        select sum(octet_length(f.payload::text)) from free_payload f
        where f.job = $1 and f.key = c.key and f.id >= c.replaced_by and f.id <= c.last) <= 4194304) waiting
  order by id
  limit 1000)) p
order by c.run, p.id
