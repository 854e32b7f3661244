-- Deletes the starts that no longer affect a rate limit, from a few pages of the table. A start is deleted after its
-- time has passed. A start is also deleted if the same job or group has a later start. Claims use only the latest start
-- time of a job or group, so the deletion does not affect claims. $1: the first page. $2: the number of pages. Rows:
-- one row with the number of deleted starts, and a boolean that is true if the table has no further pages. Locks: the
-- deleted rows. Index: limit_start_newest.
with past as materialized (
  select s.ctid as place from limit_start s
  where s.ctid >= format('(%s,0)', $1::bigint)::tid and s.ctid < format('(%s,0)', $1::bigint + $2::bigint)::tid
    and (s.rested_at <= now() or s.rested_at < case
      when s.group_key is null then (
        select n.rested_at from limit_start n where n.job = s.job and n.group_key is null
        order by n.job desc, n.group_key desc, n.rested_at desc limit 1)
      else (
        select n.rested_at from limit_start n where n.job = s.job and n.group_key = s.group_key
        order by n.rested_at desc limit 1) end)
),
forgotten as (
  delete from limit_start where ctid = any (array(select place from past)) returning 1
)
select (select count(*) from forgotten),
  ($1::bigint + $2::bigint) * current_setting('block_size')::bigint >= pg_relation_size('limit_start'::regclass)
