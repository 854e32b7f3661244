-- Checks the hash chain of the next rows of the audit log, oldest first. $1 and $2: the day and the number of the last
-- checked row, or null. $3: the hash of the last checked row. $4: the number of rows to check. $5: a hash to search
-- for, or null. Rows: one row. A comment at the end of this file describes the result columns. Locks: none. Index:
-- audit_pkey. The rows and the recorded end of the chain are read in one snapshot. The statement contains a copy of
-- audit_hash, because a schema owner could have replaced audit_hash. If the last checked row was purged, the check
-- starts at the oldest row.
with given as materialized (
  select $1::text::date as day, $2::integer as number, decode($3::text, 'hex') as hash,
    decode($5::text, 'hex') as wanted
),
beginning as materialized (
  select k.is_there, g.wanted, c.last_day, c.last_number, c.last_hash, c.purged_hash,
    case when k.is_there then g.day end as day, case when k.is_there then g.number end as number,
    case when k.is_there then g.hash else c.purged_hash end as hash
  from given g
  cross join lateral (
    select exists (select from audit a where (a.day, a.number) = (g.day, g.number)) as is_there
  ) k
  left join audit_chain c on true
),
page as materialized (
  select a.*,
    lag(a.day) over o as day_before, lag(a.number) over o as number_before, lag(a.hash) over o as hash_before
  from (
    select * from audit
    where (day, number) > (coalesce($1::text::date, '-infinity'), coalesce($2, 0))
    order by day, number
    limit $4
  ) a
  window o as (order by a.day, a.number)
),
checked as materialized (
  select p.day, p.number, p.hash,
    p.hash is distinct from sha256(p.previous || convert_to(jsonb_build_array(1, p.day, p.number,
      (extract(epoch from p.at) * 1000000)::bigint, p.login, p.role, p.os_user, p.host, p.program,
      p.application, p.client::text, p.action, p.subject::text, p.before::text, p.after::text, p.filter::text,
      p.count)::text, 'UTF8'))
      as is_changed,
    p.previous is distinct from coalesce(p.hash_before, b.hash) as is_torn,
    p.number <> case p.day when coalesce(p.day_before, b.day) then coalesce(p.number_before, b.number) + 1
      else 1 end as is_misnumbered
  from page p
  cross join beginning b
),
result as materialized (
  select count(*) as rows, count(*) filter (where number = 1) as days,
    (array_agg(day order by day desc, number desc))[1] as day,
    (array_agg(number order by day desc, number desc))[1] as number,
    (array_agg(hash order by day desc, number desc))[1] as hash,
    string_agg(
      concat_ws(e'\n', case when is_changed then 'changed ' || day || '/' || number end,
        case when is_torn then 'torn ' || day || '/' || number end,
        case when is_misnumbered then 'misnumbered ' || day || '/' || number end),
      e'\n' order by day, number) filter (where is_changed or is_torn or is_misnumbered) as faults,
    coalesce(bool_or(hash = (select wanted from beginning)), false) as is_seen
  from checked
)
-- The first columns are the number of checked rows, and the number of days that begin in the checked rows. The next
-- columns are the last row's day, number and hash. The next columns are the faults (one per line), whether the log's
-- end was reached, and the recorded end's id and hash. The last column is true if $5 was found. $5 may also be the hash
-- before the first row of a log from which no row was purged. If the log has no rows, $5 may also be the hash of the
-- last purged row, if the last row was old enough for a purge.
select r.rows, r.days, coalesce(r.day, b.day)::text, coalesce(r.number, b.number),
  encode(coalesce(r.hash, b.hash), 'hex'), coalesce(r.faults, ''), r.rows < $4,
  b.last_day || '/' || b.last_number, encode(b.last_hash, 'hex'),
  r.is_seen or coalesce(b.wanted = b.purged_hash and (b.purged_hash = decode(repeat('00', 32), 'hex')
    or not exists (select from audit) and b.last_day < (pg_catalog.now() at time zone 'UTC')::date - 400), false)
from result r
cross join beginning b
