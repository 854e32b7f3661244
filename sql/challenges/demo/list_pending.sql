-- Lists members who have an unpublished entry in the current week. Rows: the id of each user. Locks: none. Indexes:
-- challenge_board, entry_pkey, standing_pkey.
select distinct e.user_id::text
from challenge c
join entry e on e.challenge_id = c.id
left join standing s on s.challenge_id = e.challenge_id and s.user_id = e.user_id
where c.week_start = week_of(domain_now()) and e.value > 0
  and (s.value, s.last_updated) is distinct from (e.value, e.last_updated)
