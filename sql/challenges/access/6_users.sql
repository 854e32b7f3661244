-- Allows users to execute the API functions. Users can write data only through the API functions. Policies allow users
-- to read their own rows and the rows of their group. `current_actor` returns the user in the transaction's identity
-- claim. If a transaction has no identity claim, no rows are visible. Each API function has a parameter for the actor.
-- A call's actor must be the user in the transaction's identity claim. Only the back end may sign users in or observe
-- boards on their behalf.
grant execute on function get_user, delete_account, create_group, update_group, get_group, get_members,
  current_week_challenges, current_board, leave_group, remove_member, promote, delete_group, mute_group,
  leaderboard, create_invite, list_invites, revoke_invite, preview_invite, join_group, notifications, badge,
  mark_read, record_workout, delete_workout, increment_check_in, update_streak, update_profile,
  update_privacy_settings, set_time_zone, report_client_event, is_beta, hold_session, register_push_device,
  push_devices, remove_push_device, push_settings, set_push_settings, block_user, unblock_user, blocked_users,
  report_user, export_my_data to {user};
grant execute on function actor_group, domain_now, notification_lifetime to {user};
grant select (id, display_name, asks_for_name, email, photo_url, auth_provider, time_zone, shares_workouts,
  created_at) on users to {user};
grant select (id, name, max_members, member_count, is_active, created_at, created_by) on groups to {user};
grant select (group_id, user_id, role, joined_at) on member to {user};
grant select (id, group_id, week_start, type, state, starts_at, ends_at, closed_at) on challenge to {user};
grant select (challenge_id, user_id, value, display_name, photo_url, last_updated) on entry to {user};
grant select (challenge_id, user_id, value, rank, "position", display_name, photo_url, last_updated) on standing
  to {user};
grant select (partition, id, user_id, group_id, type, challenge_id, content, is_read, created_at, changed_at)
  on notification to {user};

create policy self on users for select to {user} using (id = (select current_actor()));
create policy own_group on groups for select to {user} using (id = (select actor_group()));
create policy own_group on member for select to {user}
  using (group_id = (select actor_group()) and left_at is null);
create policy own_group on challenge for select to {user} using (group_id = (select actor_group()));
create policy own_group on entry for select to {user}
  using (not hidden and challenge_id in (select c.id from challenge c));
create policy own_group on standing for select to {user}
  using (challenge_id in (select c.id from challenge c));
create policy own on notification for select to {user}
  using (user_id = (select current_actor()) and created_at > domain_now() - notification_lifetime());
