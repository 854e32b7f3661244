-- Rejects an invalid id from a client.
create or replace function check_id(of_what text, id text) returns void
language plpgsql as $$
begin
  if id is null or octet_length(id) not between 1 and 256 or id ~ e'[\\x01-\\x1f\\x7f]' then
    perform refuse('invalidInput',
      format('%s needs an id of 1 to 256 bytes without control characters', of_what),
      'Nothing was changed. Send an id that the client made once.');
  end if;
end $$
