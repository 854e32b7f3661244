-- Returns 256 random bits. A random UUID contains 122 random bits, so one UUID would not be sufficient.
create or replace function random_secret() returns bytea
language sql volatile
return sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
