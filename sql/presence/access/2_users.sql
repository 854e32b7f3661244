-- Allows users to execute the API functions. Users can write data only through the API functions. Policies allow users
-- to read their own rows and the rows of their groups. Each API function has a parameter for the actor. A call's actor
-- must be the user in the transaction's identity claim. Only the back end may sign users in.
grant execute on function get_user, get_users, update_profile, end_sessions, delete_account, create_group, update_group,
  get_group, get_members, joined_groups, public_groups, nearby_groups, join_public_group, leave_group, remove_member,
  promote, delete_group, current_invite, rotate_invite, redeem_invite, get_stats, earned_achievements,
  achievement_progress, acknowledge, watch_groups, send_message, messages, delete_message, check_in,
  check_out, presence_snapshot, hold_session, register_push_device, push_devices, remove_push_device, push_settings,
  set_push_settings, block_user, unblock_user, blocked_users, report_user, export_my_data to {user};
grant execute on function actor_groups, actor_blocks, actor_presences to {user};
grant select (id, display_name, asks_for_name, photo_url, is_anonymous, time_zone, version, created_at)
  on users to {user};
grant select (id, name, latitude, longitude, radius, corner_latitudes, corner_longitudes, is_public, time_zone,
  member_count, max_members, is_active, version, created_at) on groups to {user};
grant select (group_id, user_id, role, joined_at) on member to {user};
grant select (id, group_id, user_id, content, created_at, deleted_at) on message to {user};
-- Users cannot read the columns with positions, because only the server may read positions.
grant select (group_id, user_id, is_present, source, since, deadline, version, changed_at) on presence to {user};

create policy self on users for select to {user} using (id = (select current_actor()));
create policy own_or_public on groups for select to {user}
  using (id = any ((select actor_groups())::text[]) or is_public and is_active);
create policy own_groups on member for select to {user}
  using (group_id = any ((select actor_groups())::text[]) and left_at is null);
create policy own_groups on message for select to {user}
  using (group_id = any ((select actor_groups())::text[])
    and (user_id is null or user_id <> all ((select actor_blocks())::text[])));
create policy own_groups on presence for select to {user} using (id = any ((select actor_presences())::bigint[]));
