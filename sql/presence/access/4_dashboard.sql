-- Grants the dashboard role access to groups and row counts. Display names are the only user data that the dashboard
-- role can read.
grant select (id, name, is_public, time_zone, member_count, max_members, is_active, created_at) on groups to {dashboard};
grant select (id, display_name, is_anonymous, merged_into, created_at) on users to {dashboard};
grant select (group_id, user_id, role, joined_at, left_at) on member to {dashboard};
grant select (partition, created_at, group_id, deleted_at) on message to {dashboard};
grant select (group_id, present_count, changed_at) on group_summary to {dashboard};
grant select on dropped_push, presence_gauges to {dashboard};
-- The dashboard role can read which groups have present users, but not which users are present.
grant select (group_id, is_present) on presence to {dashboard};
