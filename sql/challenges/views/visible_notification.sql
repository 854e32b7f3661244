-- The notifications that a recipient may see. An expired one is not visible, whether or not retention has run. The
-- content that all notifications of a week share is stored with the week. It is read by a subquery instead of a join,
-- so that a notification can be marked as read through this view.
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
