-- Deletes the recorded occurrences of removed schedules seven days after they fired, from a few pages of the table. $1:
-- the first page. $2: the number of pages. Rows: one row with the number of deleted occurrences, and a boolean that is
-- true if the table has no further pages. Locks: the deleted rows. Index: schedule_pkey.
with gone as materialized (
  select o.ctid as place from occurrence o
  where o.ctid >= format('(%s,0)', $1::bigint)::tid and o.ctid < format('(%s,0)', $1::bigint + $2::bigint)::tid
    and o.fired_at < domain_now() - interval '7 days'
    and not exists (select from schedule s where s.job = o.job and s.name = o.name)
),
forgotten as (
  delete from occurrence where ctid = any (array(select place from gone)) returning 1
)
select (select count(*) from forgotten),
  ($1::bigint + $2::bigint) * current_setting('block_size')::bigint >= pg_relation_size('occurrence'::regclass)
