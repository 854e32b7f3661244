-- Lists the users who are notified of a first arrival. $1: the id of the arrival. Rows: one row for each member of the
-- group, except the user who arrived. Members who block this user or are blocked by this user are excluded. There are
-- no rows if the arriving user has left, the group's date has changed, or the arrival is older than push_age. Locks:
-- none. Indexes: first_arrival_id, member_pkey.
select g.id::text, g.name, u.id::text, u.display_name, r.user_id::text
from first_arrival f
join groups g on g.id = f.group_id
join member a on a.group_id = f.group_id and a.user_id = f.user_id and a.left_at is null
join users u on u.id = f.user_id
join member r on r.group_id = f.group_id and r.left_at is null and r.user_id <> f.user_id
where f.id = $1 and f.local_date = (domain_now() at time zone g.time_zone)::date
  and not exists (
    select from user_block b
    where (b.user_id, b.blocked_user) in ((r.user_id, f.user_id), (f.user_id, r.user_id)))
  and f.arrived_at > (select domain_now() - in_seconds(s.push_age) from setting s)
order by r.user_id
