-- Grants the privileges that an operator needs for manual actions. The operator can reopen weeks, close reports, and
-- read groups, boards, reports and derived data. The operator cannot read email addresses, identities, tokens or
-- blocks.
grant select on setting, groups, member, membership, challenge, entry, standing, board_version, silent_move,
  closed_week, week_reopening, notification, workout, workout_day, workout_revision, refused_edit, reported_streak,
  sharing_pause, active_group, usage_log, client_event, ignored_workout, replay, due_week, challenges_gauges, leaderboard,
  visible_notification, user_report to {operator};
grant select (id, display_name, photo_url, time_zone, shares_workouts, has_paused, version, created_at) on users
  to {operator};
grant select (id, group_id, created_at, expires_at, revoked_at) on invite to {operator};
grant select (id, user_id, device, refreshed_at, created_at, expires_at, ended_at) on session to {operator};
grant execute on function reopen_week, close_report to {operator};
-- The operator can see which devices exist, but not their tokens and secrets.
grant select (id, user_id, platform, environment, locale, registered_at) on push_device to {operator};
grant select on push_setting, dropped_push to {operator};
