-- Rejects a write if the key of its event is not a valid run key. `source` names the origin of the key for the error
-- message. The error does not contain the key, because a key can be personal data. Locks: none.
create or replace function refuse_key(key text, source text) returns text
language plpgsql as $$
begin
  raise exception 'a key has 1 to 256 bytes and no control characters; that of % %', source,
      case when key is null then 'is NULL' when octet_length(key) between 1 and 256 then 'has a control character'
        else 'has ' || octet_length(key) || ' bytes' end
    using errcode = 'ZB006', hint = 'Nothing was written. Write another value, or use another column as the key.';
end $$
