-- Grants the API role EXECUTE on the functions that an API may call. The API role has only the privileges that this
-- file grants. This file lists the functions in docs/gymrats/api.md, except those that only the server may execute.
-- This file also lists two functions that servers use to observe boards, and two functions for stream tickets. No API
-- call by a member enqueues runs, so `enqueue` is not listed. To change the privileges, edit the list in this file.
-- `migrate` executes the file.
grant execute on function
  upsert_user, find_user, get_user, delete_account, begin_session, refresh_session, end_session, end_sessions,
  create_group, update_group, get_group, get_members, current_week_challenges, current_board, leave_group,
  remove_member, promote, delete_group, mute_group, leaderboard,
  create_invite, list_invites, revoke_invite, preview_invite, join_group,
  notifications, badge, mark_read,
  record_workout, delete_workout, increment_check_in, update_streak,
  update_profile, update_privacy_settings, set_time_zone,
  report_client_event, is_beta,
  block_user, unblock_user, blocked_users, report_user, export_my_data,
  hold_session, register_push_device, push_devices, remove_push_device, push_settings, set_push_settings,
  changed_boards, running_boards, observed_badges, refused_viewers, observe, stop_observing,
  create_stream_ticket, redeem_stream_ticket
to {role}
