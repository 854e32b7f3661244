-- The user of an unsigned claim: `sub` of the JSON that PostgREST makes of a token it has verified. Invalid JSON, or
-- JSON without a text as `sub`, means anonymous (null). It is not an error, because an error would print the claim's
-- text, which may be secret.
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
