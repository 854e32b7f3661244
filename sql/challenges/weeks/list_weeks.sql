-- Weeks with boards, newest first. $1 how many weeks. Rows: Monday, ISO label, boards that are
-- open, settling (over, not closed), closed, cancelled; when the last was closed; seconds that the
-- close is behind, grace and reopenings aside (0: not behind). Locks: none. Reads the boards of all
-- weeks kept.
select c.week_start::text, to_char(c.week_start, 'IYYY-"W"IW'),
  count(*) filter (where c.state = 'open' and c.ends_at > m.at),
  count(*) filter (where c.state = 'open' and c.ends_at <= m.at),
  count(*) filter (where c.state = 'closed'), count(*) filter (where c.state = 'cancelled'),
  iso_text(max(c.closed_at)),
  coalesce(greatest(0, extract(epoch from m.at - m.grace
    - min(c.ends_at) filter (where c.state = 'open'
      and (c.reopened_until is null or c.reopened_until <= m.at))))::bigint, 0)
from challenge c, (select domain_now() as at, grace from setting) m
group by c.week_start, m.at, m.grace
order by c.week_start desc
limit $1
