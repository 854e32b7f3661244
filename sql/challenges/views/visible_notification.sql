-- Contains the notifications that a recipient may see. An expired notification is not visible, even before retention
-- deletes it. The content that all notifications of a week share is stored with the week. A subquery reads this
-- content, because a notification could not be marked as read through a view with a join.
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
