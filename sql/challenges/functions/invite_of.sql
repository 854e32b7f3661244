-- The id of the invite whose token this is, whatever became of it; null where it is none, or a group's id.
create or replace function invite_of(token text) returns uuid
language sql stable
return (select i.id from invite i where i.token_hash = sha256(convert_to(lower(token), 'UTF8')))
