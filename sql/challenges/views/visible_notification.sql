-- Contains the notifications that recipients may see. An expired notification is invisible, even before retention
-- deletes the row. Content that all of a week's notifications share is stored once for the week. A subquery reads the
-- shared content, because a view with a join does not allow updates.
create or replace view visible_notification with (security_invoker = true) as
select partition, created_at, id, user_id, group_id, type, challenge_id,
  case when type = 'week_ended' then coalesce((
      select w.content from closed_week w
      where w.group_id = n.group_id
        and w.week_start = coalesce(n.week_start, (n.content ->> 'week_start')::date)), '{}')
    || case when scores is null then content else week_ended_content(week_start, scores) end
    else content end as content,
  is_read, changed_at
from notification n
where created_at > domain_now() - notification_lifetime()
