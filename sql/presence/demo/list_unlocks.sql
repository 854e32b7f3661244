-- What was achieved, in the catalogue's order. Rows: title, by how many, who was the first. Locks: none. Index: none:
-- it reads all unlocks.
select a.title, count(*),
  (array_agg(u.display_name order by o.unlocked_at, o.user_id))[1]
from unlock o
join achievement a on a.type = o.achievement
join users u on u.id = o.user_id
group by a.place, a.title
order by a.place
