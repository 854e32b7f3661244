-- Returns the id of the invite with the given token, regardless of the invite's state. If no invite has the token, or
-- if the text is a group's id, the result is null.
create or replace function invite_of(token text) returns uuid
language sql stable
return (select i.id from invite i where i.token_hash = sha256(convert_to(lower(token collate "C"), 'UTF8')))
