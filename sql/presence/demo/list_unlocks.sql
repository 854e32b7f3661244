-- The unlocked achievements, in the order of the catalogue. Rows: title, how many users unlocked it, the first of them.
-- Locks: none. Index: none: it reads all unlocks.
select a.title, count(*),
  (array_agg(u.display_name order by o.unlocked_at, o.user_id))[1]
from unlock o
join achievement a on a.type = o.achievement
join users u on u.id = o.user_id
group by a.place, a.title
order by a.place
