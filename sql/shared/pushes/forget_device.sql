-- Deletes a device that the push service no longer knows. $1: the device's id. $2: the token that the service refused.
-- $3: the environment, and $4: the time of the registration, as the push read them. $5: the time when the service
-- learned that the token is invalid, or null. If the device was registered again after the push read it, or after $5,
-- the device stays. Rows: none. Locks: the device. Index: push_device_pkey.
delete from push_device
where id = $1 and token = $2 and environment = $3 and registered_at = $4
  and registered_at <= coalesce($5::timestamptz, 'infinity')
