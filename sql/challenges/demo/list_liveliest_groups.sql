-- Lists the groups in which the most members have a different rank this week than in the previous week. $1: the maximum
-- number of groups. Rows: the group, the current week's Monday. Locks: none. Indexes: challenge_board, standing_pkey.
select c.group_id::text, c.week_start::text
from challenge c
join standing s on s.challenge_id = c.id
left join challenge earlier on earlier.group_id = c.group_id
  and earlier.week_start = c.week_start - 7 and earlier.type = c.type
left join standing before on before.challenge_id = earlier.id and before.user_id = s.user_id
where c.week_start = week_of(domain_now())
group by 1, 2
order by count(*) filter (where before.rank <> s.rank) desc, sum(s.value) desc, 1
limit $1
