-- Deletes the records of runs that no longer delay the next run of a throttled key, from a few pages of the table.
-- Since records are appended, records from the same time are on neighboring pages. The table has no index on the time
-- alone, because every dispatch would have to update that index. $1: the first page. $2: the number of pages. Rows: one
-- row with the number of deleted records, and a boolean that is true if the table has no further pages. Locks: the
-- deleted rows, SKIP LOCKED. Index: none, because pages are read by number.
with past as materialized (
  select ctid as place from recent_run
  where ctid >= format('(%s,0)', $1::bigint)::tid and ctid < format('(%s,0)', $1::bigint + $2::bigint)::tid
    and free_at <= now()
  for update skip locked
),
forgotten as (
  delete from recent_run where ctid = any (array(select place from past)) returning 1
)
select (select count(*) from forgotten),
  ($1::bigint + $2::bigint) * current_setting('block_size')::bigint >= pg_relation_size('recent_run'::regclass)
