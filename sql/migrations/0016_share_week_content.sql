-- What the notices of a group's week have in common is kept once, with the week, and put into each when
-- somebody reads it: a group of ten held its winners ten times. docs/performance.md has figures.

-- Label and boards with their winners; null where nobody was told.
alter table week_notice add content jsonb;

-- What a recipient may see; expired means gone, whether or not retention has run. Older notices hold all
-- of their content themselves. A subquery and no join, so that a notice can be marked as read here.
create or replace view visible_notification as
select slot, created_at, id, user_id, group_id, type, challenge_id,
  case when type = 'week_ended' then coalesce((
      select w.content from week_notice w
      where w.group_id = n.group_id and w.week_start = (n.content ->> 'week_start')::date), '{}')
    || content else content end as content,
  is_read, changed_at
from notification n
where created_at > domain_now() - interval '7 days'
