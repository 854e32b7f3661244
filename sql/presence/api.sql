-- The functions that the role of an API may execute; it has no other right. They are the functions with a row in
-- docs/whosthere/server.md. `migrate` makes the grants; to change them, edit this list. Of the runner's functions, it
-- includes those with which publishers wake a server that observes places and chats.
grant execute on function
  sign_in, link_account, begin_session, user_of_session, end_session, end_sessions,
  get_user, get_users, update_profile, delete_account,
  create_group, update_group, get_group, get_members, joined_groups, public_groups, nearby_groups,
  join_public_group, leave_group, remove_member, promote, delete_group,
  current_invite, rotate_invite, redeem_invite,
  get_stats, earned_achievements, achievement_progress, acknowledge, watch_groups,
  send_message, messages, delete_message,
  changed_places, observed_places, observed_presences, changed_chats, observed_chats, refused_viewers,
  observe, stop_observing,
  check_in, check_out, presence_snapshot
to {role}
