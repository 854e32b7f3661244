-- Returns which push notifications a user wants. $1: the user's id. Rows: one row with the muted kinds, separated by
-- commas, and the start and end of the quiet hours (null if not set). Locks: none.
select array_to_string(muted, ','), quiet_from, quiet_until
from push_settings($1)
