-- Lists the groups with the most present users. $1: the maximum number of groups. Rows: the id, the local time at the
-- place, the number of present users, and the user who arrived first on the group's current date (or null). Locks:
-- none. Indexes: groups_pkey, users_pkey. The statement reads all summaries.
select s.group_id::text, to_char(domain_now() at time zone g.time_zone, 'Dy HH24:MI'), s.present_count, u.display_name
from group_summary s
join groups g on g.id = s.group_id
left join users u on u.id = s.first_user and s.first_date = (domain_now() at time zone g.time_zone)::date
where s.present_count > 0
order by s.present_count desc, s.group_id
limit $1
