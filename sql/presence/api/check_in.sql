-- Checks in. $1 actor, $2 command, $3 group, $4 source, $5 device, $6 when, $7 seconds to stay, $8 and $9 where in
-- degrees, $10 accuracy in metres, $11 when the device was there. Rows: one. Locks: docs/whosthere.md. Index: member_pkey,
-- presence_pkey, presence_command_pkey.
select outcome, is_replayed, group_id, user_id, is_present, source, since, deadline, version, changed_at
from check_in($1, $2::text::uuid, $3, $4, $5, $6, $7, $8, $9, $10, $11)
