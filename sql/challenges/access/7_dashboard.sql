-- Grants the dashboard role access to the state of weeks, and to the names, ranks and values on boards. The dashboard
-- role cannot read email addresses, identities, tokens, photos, time zones or workouts.
grant select (id, group_id, week_start, type, state, ends_at, closed_at, reopened_until) on challenge to {dashboard};
grant select (challenge_id, rank_version) on board_version to {dashboard};
grant select (grace) on setting to {dashboard};
grant select on due_week, challenges_gauges to {dashboard};
grant select (id, name, member_count, max_members, is_active) on groups to {dashboard};
grant select (challenge_id, user_id, display_name, value, rank, position, last_updated) on standing to {dashboard};
grant select (group_id, user_id, role, joined_at, left_at, is_muted) on member to {dashboard};
grant select (id, display_name, shares_workouts) on users to {dashboard};
grant select on notification, closed_week, visible_notification to {dashboard};
grant select on dropped_push to {dashboard};
