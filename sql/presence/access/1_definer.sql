-- Grants the privileges that the triggers and the API functions need. Each UPDATE privilege is limited to the columns
-- that the triggers and the functions change.
grant select on setting to {definer};
grant select, insert, delete on users, identity, session, member, group_area, invite, redemption, invite_attempt
  to {definer};
grant select, insert, delete on groups to {definer};
grant update (display_name, asks_for_name, photo_url, is_anonymous, time_zone, merged_into,
  version, active_until) on users to {definer};
grant update (user_id) on identity to {definer};
grant update (ended_at) on session to {definer};
grant update (name, latitude, longitude, radius, corner_latitudes, corner_longitudes, is_public, time_zone,
  member_count, max_members, is_active, ended_at, version, created_by, deleted_by) on groups to {definer};
grant update (user_id, role, joined_at, left_at, is_removed, removed_by) on member to {definer};
grant update (created_by, replaced_at) on invite to {definer};
grant update (began_at, attempts) on invite_attempt to {definer};
grant select, insert, delete on user_block, user_report to {definer};
grant update (reporter, reported, note, closed_at, closed_by) on user_report to {definer};
grant usage on sequence user_number to {definer};
grant usage, update on sequence account_count, device_count, attempt_count to {definer};
-- If the configured push rate changes, the definer rewrites the limits of the jobs that send push notifications.
grant update (burst) on job_limit to {definer};
-- The definer needs these privileges for statistics and achievements.
grant select on achievement to {definer};
grant select, insert, delete on user_stats, visit_streak, unlock to {definer};
grant update (check_ins, first_arrivals, groups_visited, longest_streak, longest_stay, messages_sent)
  on user_stats to {definer};
grant update (ends) on visit_streak to {definer};
grant update (unlocked_at, points, seen_at) on unlock to {definer};
-- The definer needs these privileges for chat.
grant select, insert on message to {definer};
grant update (user_id, content, deleted_at) on message to {definer};
grant select, insert, delete on group_chat to {definer};
grant update (version) on group_chat to {definer};
grant select, insert, delete on message_bucket to {definer};
grant update (full_at) on message_bucket to {definer};
grant select, truncate on message_0, message_1, message_2, message_3, message_4, message_5, message_6, message_7,
  message_8, message_9, message_10, message_11, message_12, message_13, message_14, message_15 to {definer};
-- The definer needs these privileges for presence.
grant select, insert, delete on presence, visit, presence_command to {definer};
grant select, insert, delete on first_arrival to {definer};
grant select, delete on group_summary to {definer};
grant update (version, changed_at) on group_summary to {definer};
grant update (user_id, is_present, source, since, deadline, version, changed_at, automatic_at, heard_at, armed_at,
  latitude, longitude, accuracy, located_at) on presence to {definer};
grant update (user_id, departure) on visit to {definer};
grant update (user_id) on first_arrival, presence_command to {definer};
-- The definer must be able to enqueue runs, because a check-in with a deadline enqueues a run.
grant execute on function enqueue to {definer};
-- The definer needs these privileges for push notifications.
grant select, insert, delete on push_device to {definer};
grant select, insert, delete on push_setting to {definer};
grant update (id, user_id, environment, secret, locale, registered_at) on push_device to {definer};
grant update (muted, quiet_from, quiet_until) on push_setting to {definer};
