-- Grants the privileges that an operator needs for manual actions. The operator can read users, groups, members and
-- reports, but not codes, tokens, identities, blocks or the text of messages. The operator can read the text of a
-- reported message, because the report contains the text.
grant select on setting, users, groups, group_area, member, redemption to {operator};
grant select (group_id, created_by, created_at, expires_at, replaced_at) on invite to {operator};
grant select (id, user_id, device, created_at, expires_at, ended_at) on session to {operator};
grant select on achievement, user_stats, visit_streak, unlock to {operator};
grant select (partition, created_at, id, group_id, user_id, deleted_at) on message to {operator};
grant select on message_bucket, group_chat to {operator};
grant select (id, group_id, user_id, is_present, source, since, deadline, version, changed_at, armed_at)
  on presence to {operator};
grant select on group_summary, first_arrival, visit to {operator};
grant select on dropped_push, presence_gauges to {operator};
grant select on user_report to {operator};
grant execute on function close_report to {operator};
-- The operator can see which devices exist, but not their tokens and secrets.
grant select (id, user_id, platform, environment, locale, registered_at) on push_device to {operator};
grant select on push_setting to {operator};
