-- Returns which push notifications a user wants. $1: the user's id. Rows: one row with the muted kinds, separated by
-- commas, and the beginning and the end of the quiet hours, or null. Locks: none.
select array_to_string(muted, ','), quiet_from, quiet_until
from push_settings($1)
