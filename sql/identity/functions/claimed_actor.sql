-- Returns the user in an unsigned claim: the `sub` field of the JSON that PostgREST creates from a verified token. If
-- the JSON is invalid or `sub` is not a string, the result is null, which means "anonymous". Invalid JSON does not
-- raise an error, because the error message would contain the claim.
create or replace function claimed_actor(claims text) returns text
language plpgsql stable as $$
declare
  subject jsonb;
begin
  if octet_length(claims) > 65536 then
    return null;
  end if;
  subject := claims::jsonb -> 'sub';
  return case when jsonb_typeof(subject) = 'string' then nullif(subject #>> '{}', '') end;
exception when data_exception or program_limit_exceeded then
  return null;
end $$
