-- The work of the jobs: it removes what is over, awards achievements, and tells members of messages and first arrivals.
grant select on setting, invite, session to {worker};
grant delete on invite, session to {worker};
grant select on achievement, user_stats to {worker};
grant select, insert on unlock to {worker};
-- FOR UPDATE and FOR KEY SHARE ask for the right to update some column.
grant update (replaced_at) on invite to {worker};
grant update (ended_at) on session to {worker};
grant update (longest_stay) on user_stats to {worker};
grant select on message, first_arrival, groups, member to {worker};
grant select (id, display_name) on users to {worker};
grant execute on function truncate_messages to {worker};
