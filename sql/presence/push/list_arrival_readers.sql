-- Who is to be told of a first arrival. $1 its id. Rows: one each of the group's members but who arrived; none where that
-- one is no member any more, nobody else is, or the group's date is another by now. Locks: none.
-- Index: first_arrival_id, member_pkey.
select g.id::text, g.name, u.id::text, u.display_name, r.user_id::text
from first_arrival f
join groups g on g.id = f.group_id
join member a on a.group_id = f.group_id and a.user_id = f.user_id and a.left_at is null
join users u on u.id = f.user_id
join member r on r.group_id = f.group_id and r.left_at is null and r.user_id <> f.user_id
where f.id = $1 and f.local_date = (domain_now() at time zone g.time_zone)::date
order by r.user_id
