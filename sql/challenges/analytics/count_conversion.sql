-- Counts the previews and joins of all invites that were created from the UTC day $1 to the UTC day $2. Rows: one row
-- with the numbers of created invites, previewed invites, invites with at least one join, and joins. Locks: none.
-- Indexes: usage_log_time.
with made as materialized (
  select l.invite_id
  from usage_log l
  where l.kind = 'invite_created' and l.recorded_at >= $1::text::date::timestamp at time zone 'UTC'
    and l.recorded_at < ($2::text::date + 1)::timestamp at time zone 'UTC'
),
later as (
  select l.invite_id, count(*) filter (where l.kind = 'invite_previewed') as looks,
    count(*) filter (where l.kind = 'group_joined') as joins
  from usage_log l
  where l.recorded_at >= $1::text::date::timestamp at time zone 'UTC'
    and l.invite_id in (select invite_id from made)
  group by 1
)
select count(*), count(*) filter (where l.looks > 0), count(*) filter (where l.joins > 0),
  coalesce(sum(l.joins), 0)::bigint
from made
join later l using (invite_id)
