-- Lists the unlocked achievements in catalog order. Rows: the title, the number of users who unlocked the achievement,
-- and the first user who unlocked it. Locks: none. Index: none. The statement reads all unlocks.
select a.title, count(*),
  (array_agg(u.display_name order by o.unlocked_at, o.user_id))[1]
from unlock o
join achievement a on a.type = o.achievement
join users u on u.id = o.user_id
group by a.place, a.title
order by a.place
