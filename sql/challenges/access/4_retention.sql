-- Grants the privileges to delete the rows that the job `retention` deletes. Each policy repeats the age limit, so that
-- an error in the job cannot delete newer rows.
grant usage on schema {schema} to {retention};
grant select on setting, challenge, entry, standing, board_version, silent_move, closed_week, invite, usage_log,
  client_event, ignored_workout, notification to {retention};
grant delete on challenge, entry, standing, board_version, silent_move, closed_week, invite, usage_log, client_event,
  ignored_workout to {retention};
grant insert on ignored_workout to {retention};
-- FOR UPDATE requires the UPDATE privilege on at least one column. The policies prevent all changes.
grant update (state) on challenge to {retention};
grant update (revoked_at) on invite to {retention};
grant update (kind) on usage_log, client_event to {retention};
grant update (workouts) on ignored_workout to {retention};
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
create policy old_rows on usage_log for delete to {retention}
  using (recorded_at < (select domain_now() - in_seconds(analytics_age) from setting));
create policy old_rows on client_event for delete to {retention}
  using (recorded_at < (select domain_now() - in_seconds(analytics_age) from setting));
-- When a day has ended, its rows are merged into one row.
create policy past_days on ignored_workout for delete to {retention}
  using (day < (select (domain_now() at time zone 'UTC')::date));
create policy locks on challenge for update to {retention} using (true) with check (false);
create policy locks on invite for update to {retention} using (true) with check (false);
create policy locks on usage_log for update to {retention} using (true) with check (false);
create policy locks on client_event for update to {retention} using (true) with check (false);
create policy locks on ignored_workout for update to {retention} using (true) with check (false);
