-- Grants the `retention` job the privileges to delete old rows. The policies enforce the `retention` job's age limits,
-- so that an error in the job cannot delete newer rows.
grant usage on schema {schema} to {retention};
grant select on setting, challenge, entry, standing, board_version, silent_move, closed_week, invite, invite_attempt,
  usage_log, client_event, ignored_workout, notification, refused_edit, workout_revision, sharing_pause, week_reopening,
  reported_streak, member, membership, groups, workout, workout_day, session, user_report to {retention};
grant delete on challenge, entry, standing, board_version, silent_move, closed_week, invite, invite_attempt, usage_log,
  client_event, ignored_workout, refused_edit, workout_revision, sharing_pause, week_reopening, reported_streak, member, membership,
  groups, workout, workout_day, session, user_report to {retention};
grant insert on ignored_workout to {retention};
-- FOR UPDATE requires the UPDATE privilege on at least one column. Policies prevent the retention role from changing
-- rows.
grant update (state) on challenge to {retention};
grant update (is_told) on board_version to {retention};
grant update (revoked_at) on invite to {retention};
grant update (attempts) on invite_attempt to {retention};
grant update (device) on session to {retention};
grant update (kind) on usage_log, client_event to {retention};
grant update (note) on user_report to {retention};
grant update (workouts) on ignored_workout to {retention};
grant update (is_told) on closed_week to {retention};
grant update (reason) on refused_edit, workout, workout_revision, week_reopening to {retention};
grant update (ended_at) on sharing_pause to {retention};
grant update (streak_days) on reported_streak to {retention};
grant update (is_muted) on member to {retention};
grant update (name) on groups to {retention};
grant execute on function truncate_notifications to {retention};

create policy old_boards on challenge for delete to {retention}
  using (state <> 'open' and ends_at < (select domain_now() - in_seconds(board_age) from setting));
create policy old_boards on entry for delete to {retention}
  using (exists (
    select from challenge c where c.id = challenge_id and c.state <> 'open'
      and c.ends_at < (select domain_now() - in_seconds(board_age) from setting)));
create policy old_boards on standing for delete to {retention}
  using (exists (
    select from challenge c where c.id = challenge_id and c.state <> 'open'
      and c.ends_at < (select domain_now() - in_seconds(board_age) from setting)));
create policy old_boards on board_version for delete to {retention}
  using (exists (
    select from challenge c where c.id = challenge_id and c.state <> 'open'
      and c.ends_at < (select domain_now() - in_seconds(board_age) from setting)));
create policy old_boards on silent_move for delete to {retention}
  using (exists (
    select from challenge c where c.id = challenge_id and c.state <> 'open'
      and c.ends_at < (select domain_now() - in_seconds(board_age) from setting)));
create policy old_weeks on closed_week for delete to {retention}
  using (week_start < (select ((domain_now() - in_seconds(board_age)) at time zone 'UTC')::date - 7 from setting));
create policy old_invites on invite for delete to {retention}
  using (expires_at < (select domain_now() - in_seconds(board_age) from setting));
create policy old_rows on invite_attempt for delete to {retention}
  using (began_at < (select domain_now() - interval '168 hours'));
create policy old_rows on session for delete to {retention}
  using (expires_at < (select domain_now() - interval '168 hours'));
create policy old_rows on usage_log for delete to {retention}
  using (recorded_at < (select domain_now() - in_seconds(analytics_age) from setting));
create policy old_rows on client_event for delete to {retention}
  using (recorded_at < (select domain_now() - in_seconds(analytics_age) from setting));
create policy old_rows on user_report for delete to {retention}
  using (created_at < (select domain_now() - in_seconds(report_age) from setting));
create policy old_rows on refused_edit for delete to {retention}
  using (refused_at < (select domain_now() - in_seconds(revision_age) from setting));
create policy old_rows on workout_revision for delete to {retention}
  using (superseded_at < (select domain_now() - in_seconds(revision_age) from setting));
create policy old_rows on sharing_pause for delete to {retention}
  using (ended_at < (select domain_now() - in_seconds(revision_age) from setting));
create policy old_weeks on week_reopening for delete to {retention}
  using (week_start < (select ((domain_now() - in_seconds(board_age)) at time zone 'UTC')::date - 7 from setting));
create policy old_weeks on reported_streak for delete to {retention}
  using (week_start < (select ((domain_now() - in_seconds(board_age)) at time zone 'UTC')::date - 7 from setting));
create policy ended on member for delete to {retention}
  using (left_at < (select domain_now() - in_seconds(group_age) from setting));
create policy ended on membership for delete to {retention}
  using (exists (
    select from member m where m.group_id = membership.group_id and m.user_id = membership.user_id
      and m.left_at < (select domain_now() - in_seconds(group_age) from setting)));
create policy ended on groups for delete to {retention}
  using (ended_at < (select domain_now() - in_seconds(group_age) from setting));
create policy old_rows on workout for delete to {retention}
  using (received_at < (select domain_now() - in_seconds(workout_age) from setting));
-- A local date can be one day after the date in UTC.
create policy old_days on workout_day for delete to {retention}
  using (local_date <= (select ((domain_now() - in_seconds(workout_age)) at time zone 'UTC')::date + 1 from setting));
-- After the end of a UTC day, the `retention` job merges all of the day's rejected workouts into one row.
create policy past_days on ignored_workout for delete to {retention}
  using (day < (select (domain_now() at time zone 'UTC')::date));
create policy locks on challenge for update to {retention} using (true) with check (false);
create policy locks on board_version for update to {retention} using (true) with check (false);
create policy locks on invite for update to {retention} using (true) with check (false);
create policy locks on invite_attempt for update to {retention} using (true) with check (false);
create policy locks on user_report for update to {retention} using (true) with check (false);
create policy locks on session for update to {retention} using (true) with check (false);
create policy locks on usage_log for update to {retention} using (true) with check (false);
create policy locks on client_event for update to {retention} using (true) with check (false);
create policy locks on ignored_workout for update to {retention} using (true) with check (false);
create policy locks on refused_edit for update to {retention} using (true) with check (false);
create policy locks on workout for update to {retention} using (true) with check (false);
create policy locks on workout_revision for update to {retention} using (true) with check (false);
create policy locks on sharing_pause for update to {retention} using (true) with check (false);
create policy locks on week_reopening for update to {retention} using (true) with check (false);
create policy locks on reported_streak for update to {retention} using (true) with check (false);
create policy locks on member for update to {retention} using (true) with check (false);
create policy locks on groups for update to {retention} using (true) with check (false);
create policy locks on closed_week for update to {retention} using (true) with check (false);
-- The `retention` job deletes devices that have not been registered again for a long time. The `retention` job cannot
-- read the tokens of push devices.
grant select (id, registered_at) on push_device to {retention};
grant delete on push_device to {retention};
grant update (locale) on push_device to {retention};
create policy old_rows on push_device for delete to {retention}
  using (registered_at < (select domain_now() - in_seconds(device_age) from setting));
create policy locks on push_device for update to {retention} using (true) with check (false);
