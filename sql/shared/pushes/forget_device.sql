-- Deletes a device that the push service no longer knows. $1: the device's id. $2: the token that the service refused.
-- $3: the instant at which the service learned that the token is invalid, or null. If the device was registered again
-- after $3, or has a token other than $2, the device stays. Rows: none. Locks: the device. Index: push_device_pkey.
delete from push_device
where id = $1 and token = $2 and registered_at <= coalesce($3::timestamptz, 'infinity')
