-- Whether boards of weeks that are over, grace included, are still not final. $1 one week (its Monday, in days since 1970) or null.
-- Rows: one. Locks: none. Index: challenge_open.
select exists (
  select from challenge c, setting s
  where c.state = 'open' and c.week_start <= ((domain_now() - s.grace) at time zone 'UTC')::date - 7
    and ($1::bigint is null or c.week_start = date '1970-01-01' + $1::bigint::integer)
    and (c.reopened_until is null or c.reopened_until <= domain_now()))
