-- What the actor has done. $1 actor. Rows: one. Locks: none. Index: user_stats_pkey, visit_streak_pkey.
select check_ins, first_arrivals, groups_visited, current_streak, longest_streak, longest_stay, messages_sent
from get_stats($1)
