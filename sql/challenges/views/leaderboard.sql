-- What an app shows of boards: published standings with the group, week and type of their board.
create or replace view leaderboard as
select c.group_id, c.week_start, c.type, s.challenge_id, s.user_id, s.display_name, s.photo_url,
  s.value, s.rank, s.position, s.last_updated
from standing s
join challenge c on c.id = s.challenge_id
