-- Writes group summaries and wakes the groups' observers. $1: the groups, whose summaries the caller must have locked.
-- Rows: one row. Locks: none. Indexes: presence_present, first_arrival_pkey, group_summary_pkey. Each call increases
-- the version of each summary, even if the summary's other columns did not change. Observers also see deadlines, and
-- the presence of a viewer who is absent. A summary does not contain these values.
with there as materialized (
  select g.id,
    (select count(*)::integer from presence p where p.group_id = g.id and p.is_present) as present_count,
    array(
      select p.user_id::text from presence p
      where p.group_id = g.id and p.is_present
      order by p.since desc, p.user_id
      limit 5) as latest,
    f.local_date, f.user_id
  from groups g
  -- After the group's time zone has changed, a row with tomorrow's date may exist.
  left join lateral (
    select a.local_date, a.user_id from first_arrival a
    where a.group_id = g.id and a.local_date <= (domain_now() at time zone g.time_zone)::date
    order by a.local_date desc
    limit 1
  ) f on true
  where g.id = any ($1)
),
written as (
  update group_summary s
  set present_count = t.present_count, latest = t.latest, first_date = t.local_date, first_user = t.user_id,
    version = s.version + 1, changed_at = domain_now()
  from there t
  where s.group_id = t.id
  returning s.group_id
)
select wake_observers_of('presences', array(select group_id::text from written order by 1))
