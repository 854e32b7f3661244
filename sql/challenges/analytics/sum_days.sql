-- Counts the events of each UTC day from $1 to $2, including days without events. Rows: one row for each day: the day,
-- the server's counts, the phones' counts, and two fetch times. The server's counts are created groups, joins, joins by
-- invite, created invites, previewed invites, and workouts refused for privacy. The phones' counts are failed writes,
-- failed links, and fetched boards. The fetch times are the p50 and p95 of the time that phones take to fetch a board
-- (ms). If no board was fetched, p50 and p95 are null. Locks: none. Indexes: usage_log_time, client_event_age,
-- ignored_workout_day.
with span as materialized (
  select $1::text::date as first, $2::text::date as last,
    $1::text::date::timestamp at time zone 'UTC' as begins,
    ($2::text::date + 1)::timestamp at time zone 'UTC' as ends
),
used as (
  select (l.recorded_at at time zone 'UTC')::date as day,
    count(*) filter (where kind = 'group_created') as created,
    count(*) filter (where kind = 'group_joined') as joined,
    count(*) filter (where kind = 'group_joined' and invite_id is not null) as invited,
    count(*) filter (where kind = 'invite_created') as invites,
    count(*) filter (where kind = 'invite_previewed') as previews
  from usage_log l, span s
  where l.recorded_at >= s.begins and l.recorded_at < s.ends
  group by 1
),
ignored as (
  select w.day, sum(w.workouts)::bigint as workouts
  from ignored_workout w, span s
  where w.day between s.first and s.last
  group by 1
),
reported as (
  select (e.recorded_at at time zone 'UTC')::date as day,
    count(*) filter (where kind = 'write_failed') as writes,
    count(*) filter (where kind = 'link_failed') as links,
    count(*) filter (where kind = 'board_fetched') as fetches,
    percentile_disc(0.5) within group (order by milliseconds) as median,
    percentile_disc(0.95) within group (order by milliseconds) as p95
  from client_event e, span s
  where e.recorded_at >= s.begins and e.recorded_at < s.ends
  group by 1
)
select to_char(d.day, 'YYYY-MM-DD'), coalesce(u.created, 0), coalesce(u.joined, 0),
  coalesce(u.invited, 0), coalesce(u.invites, 0), coalesce(u.previews, 0),
  coalesce(i.workouts, 0), coalesce(r.writes, 0), coalesce(r.links, 0), coalesce(r.fetches, 0),
  r.median, r.p95
from span s
cross join generate_series(s.first, s.last, interval '1 day') g (at)
cross join lateral (select g.at::date as day) d
left join used u on u.day = d.day
left join ignored i on i.day = d.day
left join reported r on r.day = d.day
order by d.day
