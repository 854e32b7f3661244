-- Creates ten entries on each board, and one event for each board. Rows: one row for each created entry. Locks: the new
-- rows.
insert into entry (challenge_id, user_id, value, reached_at, joined_at, display_name, last_updated)
select id, 'user-' || m, (random() * 20)::integer + 1, now() - random() * interval '7 days',
  now() - interval '1 year', 'Member ' || m, now()
from challenge, generate_series(1, 10) m
