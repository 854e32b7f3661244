-- Counts the previews and joins of all invites that were created from the UTC day $1 to the UTC day $2. Previews and
-- joins after $2 are also counted if their invite was created on or before $2. The statement finds previews and joins
-- through an index on the invite, and does not read all usage_log rows since $1. Rows: one row with the numbers of
-- created invites, previewed invites, invites with at least one join, and joins. Locks: none. Indexes: usage_log_time,
-- usage_log_preview, usage_log_joined.
with made as materialized (
  select l.invite_id
  from usage_log l
  where l.kind = 'invite_created' and l.recorded_at >= $1::text::date::timestamp at time zone 'UTC'
    and l.recorded_at < ($2::text::date + 1)::timestamp at time zone 'UTC'
),
-- A scalar subquery is used, because with EXISTS or a join, the planner may read the whole table.
used as materialized (
  select (
      select true from usage_log l where l.kind = 'invite_previewed' and l.invite_id = m.invite_id limit 1
    ) as is_previewed,
    (
      select count(*) from usage_log l where l.kind = 'group_joined' and l.invite_id = m.invite_id
    ) as joins
  from made m
)
select count(*), count(*) filter (where u.is_previewed), count(*) filter (where u.joins > 0),
  coalesce(sum(u.joins), 0)::bigint
from used u
