-- Deletes the records of closed weeks whose boards were deleted. No notification is sent again about a week whose
-- boards were deleted. $1 is the maximum number of records. Rows: the number of deleted records. Locks: the deleted
-- rows. Index: closed_week_pkey.
delete from closed_week
where ctid = any (array(
  select w.ctid
  from closed_week w
  where w.week_start < (
      select ((domain_now() - in_seconds(board_age)) at time zone 'UTC')::date - 7 from setting)
    -- Visible notifications about the week read their content from this row.
    and (not w.is_told or w.closed_at <= domain_now() - notification_lifetime())
    and not exists (
      select from challenge c where c.group_id = w.group_id and c.week_start = w.week_start)
  limit $1))
