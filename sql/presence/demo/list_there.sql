-- Lists the users at a group's place, latest arrival first. $1: the group's id. $2: the maximum number of users. Rows:
-- the name, the local time of arrival, the source of the check-in, the local time of the deadline (or null). Locks:
-- none. Index: presence_present.
select u.display_name, to_char(p.since at time zone g.time_zone, 'HH24:MI'), p.source::text,
  to_char(p.deadline at time zone g.time_zone, 'HH24:MI')
from presence p
join users u on u.id = p.user_id
join groups g on g.id = p.group_id
where p.group_id = $1 and p.is_present
order by p.since desc, p.user_id
limit $2
