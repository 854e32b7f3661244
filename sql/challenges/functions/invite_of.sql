-- Returns the id of the invite with this token, in any state. The result is null if no such invite exists, or if the
-- text is a group's id.
create or replace function invite_of(token text) returns uuid
language sql stable
return (select i.id from invite i where i.token_hash = sha256(convert_to(lower(token collate "C"), 'UTF8')))
