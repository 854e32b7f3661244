-- Grants the privileges that the jobs need to delete expired rows, award achievements, and notify members of messages
-- and first arrivals.
grant select on setting, invite, session, presence_command to {worker};
grant delete on invite, session, presence_command to {worker};
grant select on achievement, user_stats to {worker};
grant select, insert on unlock to {worker};
-- FOR UPDATE and FOR KEY SHARE require the UPDATE privilege on at least one column.
grant update (replaced_at) on invite to {worker};
grant update (ended_at) on session to {worker};
grant update (answered_at) on presence_command to {worker};
grant update (longest_stay) on user_stats to {worker};
grant select on message, first_arrival, groups, member to {worker};
grant select (id, display_name) on users to {worker};
grant execute on function truncate_messages to {worker};
grant usage on sequence dropped_push to {worker};
-- The role writes the summaries of groups. Only functions end presences for the role.
grant select (group_id, user_id, is_present, since, version) on presence to {worker};
grant select, insert on group_summary to {worker};
grant update (present_count, latest, first_date, first_user, version, changed_at) on group_summary to {worker};
grant execute on function check_out_due, check_out_silent to {worker};
