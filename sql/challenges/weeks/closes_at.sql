-- Returns the time when a week closes, which is the end of the grace period. $1: the week's Monday in days since
-- 1970-01-01. Rows: one row with the time, and a boolean that is true if it has passed. Locks: none.
select iso_text(closes_at), closes_at <= domain_now()
from (
  select (date '1970-01-01' + $1::bigint::integer + 7)::timestamp at time zone 'UTC' + grace
    as closes_at
  from setting
) s
