-- The functions that the role of an API may execute; it has no other right. They are the functions with a heading in
-- docs/gymrats/api.md, without those reserved for the server. `migrate` makes the grants; to change them, edit this
-- list. Of the runner's functions, it includes those that wake a server that observes boards. It does not include
-- `enqueue`, because no call of a member enqueues runs.
grant execute on function
  upsert_user, get_user, delete_account,
  create_group, get_group, get_members, current_week_challenges, current_board, leave_group, remove_member,
  promote, delete_group, mute_group, leaderboard,
  create_invite, list_invites, revoke_invite, preview_invite, join_group,
  notifications, badge, mark_read,
  record_workout, delete_workout, increment_check_in, update_streak,
  update_profile, update_privacy_settings, set_time_zone,
  report_client_event, is_beta,
  changed_boards, running_boards, refused_viewers, observe, stop_observing
to {role}
