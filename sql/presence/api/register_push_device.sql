-- Registers a device for push notifications. $1: the user's id. $2: the platform. $3: the token. $4: the environment.
-- $5: the locale. $6: the secret of a webhook, or null. $7: the token of the session, or null. Rows: one row with the
-- id of the device. Locks: the user, the session, then the device. Indexes: those of hold_session and
-- register_push_device.
select register_push_device($1, $2, $3, $4, $5, $6) from hold_session($1, $7)
