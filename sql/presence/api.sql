-- Grants the API role EXECUTE on the functions that an API may call. The API role has only the privileges that this
-- file grants. This file lists the functions in docs/whosthere/api.md and docs/whosthere/operating.md. This file also
-- lists two functions that servers use to observe places and chats, and two functions for stream tickets. To change the
-- privileges, edit the list in this file. `migrate` executes the file.
grant execute on function
  sign_in, link_account, begin_session, user_of_session, end_session, end_sessions,
  get_user, get_users, update_profile, delete_account,
  create_group, update_group, get_group, get_members, joined_groups, public_groups, nearby_groups,
  join_public_group, leave_group, remove_member, promote, delete_group,
  current_invite, rotate_invite, redeem_invite,
  get_stats, earned_achievements, achievement_progress, acknowledge, watch_groups,
  send_message, messages, delete_message,
  block_user, unblock_user, blocked_users, report_user, export_my_data,
  changed_places, observed_presences, changed_chats, observed_chats, hidden_members, refused_viewers, ended_sessions,
  observe, stop_observing, create_stream_ticket, redeem_stream_ticket,
  check_in, check_out, presence_snapshot,
  hold_session, register_push_device, push_devices, remove_push_device, push_settings, set_push_settings
to {role}
