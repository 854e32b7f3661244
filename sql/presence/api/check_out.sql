-- Checks out. $1 actor, $2 command, $3 group, $4 source, $5 device, $6 when. Rows: one. Locks: docs/whosthere.md.
-- Index: member_pkey, presence_pkey, presence_command_pkey.
select outcome, is_replayed, group_id, user_id, is_present, source, since, deadline, version, changed_at
from check_out($1, $2::text::uuid, $3, $4, $5, $6)
