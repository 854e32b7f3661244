-- Lists groups ordered by id, with the number of boards in each state. $1: a group's id, or null for all groups. $2:
-- the id after which the list starts. $3: the maximum number of groups. Rows: id, name, number of members, maximum
-- number of members, whether the group is active, and the numbers of open, settling, closed and cancelled boards. A
-- settling board belongs to a week that has ended but is not closed. Locks: none. Indexes: groups_pkey,
-- challenge_board.
select g.id::text, g.name, g.member_count, g.max_members, g.is_active,
  c.open, c.settling, c.closed, c.cancelled
from groups g
cross join (select domain_now() as at) m
cross join lateral (
  select count(*) filter (where state = 'open' and ends_at > m.at) as open,
    count(*) filter (where state = 'open' and ends_at <= m.at) as settling,
    count(*) filter (where state = 'closed') as closed,
    count(*) filter (where state = 'cancelled') as cancelled
  from challenge where group_id = g.id
) c
where g.id > $2 and g.id >= coalesce($1::text, '') and g.id <= coalesce($1::text, chr(1114111))
order by g.id
limit $3
