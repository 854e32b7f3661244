-- Grants the privileges that the triggers and the API functions need. Each UPDATE privilege is limited to the columns
-- that the triggers and the functions change.
grant select on setting, due_week, leaderboard, visible_notification to {definer};
grant select, insert on session to {definer};
grant update (token_hash, previous_hash, salt, refreshed_at, expires_at, ended_at) on session to {definer};
grant select, insert, delete on users, identity, invite, invite_attempt, member, membership, active_group, workout,
  workout_day, entry, notification, user_block, user_report to {definer};
grant update (reporter, note, closed_at, closed_by) on user_report to {definer};
grant select, insert on groups, challenge, board_version, client_event, closed_week, refused_edit, reported_streak,
  sharing_pause, silent_move, standing, usage_log, ignored_workout, week_reopening, workout_revision to {definer};
grant update (display_name, email, photo_url, asks_for_name, shares_workouts, consented_at, has_paused, version,
  time_zone, time_zone_changed_at) on users to {definer};
grant update (name, is_active, ended_at, member_count, created_by, deleted_by) on groups to {definer};
grant update (role, left_at, has_left, is_muted, calls, user_version) on member to {definer};
grant update (left_at, joined_at, removed_by) on membership to {definer};
grant update (group_id) on active_group to {definer};
grant update (revoked_at) on invite to {definer};
grant update (began_at, attempts) on invite_attempt to {definer};
grant update (ended_at) on sharing_pause to {definer};
grant update (state, closed_at, reopened_until) on challenge to {definer};
grant update (value, reached_at, joined_at, display_name, photo_url, hidden, last_updated, user_id) on entry
  to {definer};
grant update (user_id, display_name, photo_url) on standing to {definer};
grant update (user_id) on silent_move to {definer};
grant update (is_told, rank_version) on board_version to {definer};
grant update (members, content) on closed_week to {definer};
grant update (content, is_read, changed_at) on notification to {definer};
grant update on workout, workout_day, reported_streak to {definer};
grant update (delay) on schedule_delay to {definer};
grant select on schedule_delay to {definer};
grant usage on sequence user_number to {definer};
grant usage, update on sequence account_count, attempt_count to {definer};
grant select, truncate on notification_0, notification_1, notification_2, notification_3, notification_4, notification_5, notification_6, notification_7, notification_8, notification_9, notification_10, notification_11, notification_12, notification_13, notification_14, notification_15 to {definer};
-- The definer needs these privileges for push notifications.
grant select, insert, delete on push_device to {definer};
grant select, insert on push_setting to {definer};
grant update (id, user_id, environment, secret, locale, registered_at) on push_device to {definer};
grant update (muted, quiet_from, quiet_until) on push_setting to {definer};
-- If the configured push rate changes, the definer rewrites the limits of the jobs that send push notifications.
grant update (burst) on job_limit to {definer};
