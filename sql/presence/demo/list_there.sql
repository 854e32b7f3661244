-- Who is at a group's place, newest first. $1 the group, $2 how many. Rows: name, since when on the wall clock there, who
-- said so, until when (null: nobody has said). Locks: none. Index: presence_present.
select u.display_name, to_char(p.since at time zone g.time_zone, 'HH24:MI'), p.source::text,
  to_char(p.deadline at time zone g.time_zone, 'HH24:MI')
from presence p
join users u on u.id = p.user_id
join groups g on g.id = p.group_id
where p.group_id = $1 and p.is_present
order by p.since desc, p.user_id
limit $2
