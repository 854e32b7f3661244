-- The work of the jobs: it removes what is over, and awards achievements.
grant select on setting, invite, session, presence_command to {worker};
grant delete on invite, session, presence_command to {worker};
grant select on achievement, user_stats to {worker};
grant select, insert on unlock to {worker};
-- FOR UPDATE and FOR KEY SHARE ask for the right to update some column.
grant update (replaced_at) on invite to {worker};
grant update (ended_at) on session to {worker};
grant update (answered_at) on presence_command to {worker};
grant update (longest_stay) on user_stats to {worker};
-- It says in a line who is there, and ends what is over by functions alone.
grant select (id, time_zone) on groups to {worker};
grant select (group_id, user_id, is_present, since) on presence to {worker};
grant select (group_id, local_date, user_id) on first_arrival to {worker};
grant select, insert on group_summary to {worker};
grant update (present_count, latest, first_date, first_user, version, changed_at) on group_summary to {worker};
grant execute on function check_out_due, check_out_silent to {worker};
