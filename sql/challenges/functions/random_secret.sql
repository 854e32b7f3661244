-- Returns 256 random bits. One random UUID contains only 122 random bits.
create or replace function random_secret() returns bytea
language sql volatile
return sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
