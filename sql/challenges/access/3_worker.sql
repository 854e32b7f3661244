-- Grants the privileges that the jobs need. The worker role reads the data from which ranks are computed, and writes
-- ranks, weeks and notifications. The worker role cannot change entry values, record workouts or read email addresses.
-- To repair a board, the worker role calls functions that derive the entries from the ledger.
grant select on setting, groups, member, membership, challenge, entry, standing, board_version, silent_move,
  closed_week, week_reopening, notification, workout, workout_day, workout_revision, reported_streak, sharing_pause,
  active_group, invite, usage_log, client_event, ignored_workout, replay, due_week, leaderboard, visible_notification
  to {worker};
grant select (id, display_name, photo_url, time_zone, shares_workouts, has_paused, version, created_at) on users
  to {worker};
grant insert (id, group_id, week_start, type) on challenge to {worker};
grant update (state, closed_at) on challenge to {worker};
-- FOR SHARE requires the UPDATE privilege on at least one column. A policy prevents the worker role from changing
-- groups.
grant update (name) on groups to {worker};
grant insert, update, delete on standing, silent_move to {worker};
grant update (rank_version, is_told) on board_version to {worker};
grant insert on closed_week to {worker};
grant update (is_told, closed_at, content, closings, members, check_ins_ranks, streak_ranks) on closed_week
  to {worker};
grant insert, delete on notification to {worker};
grant update (content, changed_at) on notification to {worker};
grant execute on function derive_days, derive_weeks, follow_user, lock_member, recount_members, truncate_notifications
  to {worker};

create policy worker_locks on groups for update to {worker} using (true) with check (false);
create policy worker_tells on notification for insert to {worker}
  with check (type in ('rank_change', 'week_ended'));
create policy worker_takes_back on notification for delete to {worker} using (type = 'rank_change');
-- The jobs that send push notifications read tokens, count dropped pushes, and delete devices that no longer exist.
grant select, delete on push_device to {worker};
grant select on push_setting to {worker};
grant usage on sequence dropped_push to {worker};
