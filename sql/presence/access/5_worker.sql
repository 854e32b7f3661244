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
grant usage on sequence dropped_push to {worker};
-- The worker role can delete old counters of failed attempts to redeem a code, but cannot change a counter.
grant select, delete on invite_attempt to {worker};
grant update (attempts) on invite_attempt to {worker};
create policy old_attempts on invite_attempt for delete to {worker}
  using (began_at < (select domain_now() - interval '168 hours'));
create policy locks on invite_attempt for update to {worker} using (true) with check (false);
-- The worker role can delete old reports, but cannot change a report.
grant select, delete on user_report to {worker};
grant update (note) on user_report to {worker};
create policy old_reports on user_report for delete to {worker}
  using (created_at < (select domain_now() - in_seconds(report_age) from setting));
create policy locks on user_report for update to {worker} using (true) with check (false);
-- Members are not notified of users whom they block, so the worker role must read the user_block table.
grant select on user_block to {worker};
grant execute on function truncate_messages, purge_memberships, purge_groups, note_activity, idle_users, forget_user
  to {worker};
-- The worker role can delete old visits, but cannot read the user or the group of a visit. The policies enforce the
-- `retention` job's age limits, so that an error in the job cannot delete newer rows.
grant select (id, departure) on visit to {worker};
grant select on visit_streak to {worker};
grant delete on visit, first_arrival, visit_streak to {worker};
grant update (departure) on visit to {worker};
grant update (arrived_at) on first_arrival to {worker};
grant update (ends) on visit_streak to {worker};
create policy old_visits on visit for delete to {worker}
  using (departure < (select domain_now() - in_seconds(visit_age) from setting));
create policy old_arrivals on first_arrival for delete to {worker}
  using (arrived_at < (select domain_now() - in_seconds(visit_age) from setting));
create policy old_streaks on visit_streak for delete to {worker}
  using (ends < (select ((domain_now() - in_seconds(visit_age)) at time zone 'UTC')::date from setting));
create policy locks on visit for update to {worker} using (true) with check (false);
create policy locks on first_arrival for update to {worker} using (true) with check (false);
create policy locks on visit_streak for update to {worker} using (true) with check (false);
-- The worker role writes the summaries of groups. The worker role can end presences only through functions.
grant select (group_id, user_id, is_present, since, version) on presence to {worker};
grant select, insert on group_summary to {worker};
grant update (present_count, latest, first_date, first_user, version, changed_at) on group_summary to {worker};
grant execute on function check_out_due, check_out_silent to {worker};
-- The jobs that send push notifications read tokens, and delete devices that no longer exist. Retention deletes devices
-- that have not been registered again for a long time.
grant select, delete on push_device to {worker};
grant update (locale) on push_device to {worker};
grant select on push_setting to {worker};
grant select (time_zone) on users to {worker};
create policy locks on push_device for update to {worker} using (true) with check (false);
