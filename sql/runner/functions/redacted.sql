-- A text without the mail addresses, and without the passwords in addresses, that it may contain, for viewers who may
-- not see personal data. Null for null. A text without `@` is not searched, because this is called for each row of a
-- page.
create or replace function redacted(original text) returns text
language sql immutable parallel safe
return case when strpos(original, '@') = 0 and strpos(original, '%40') = 0 then original
  else regexp_replace(original, '[^\s@<>"''(),;:=/]+(@|%40)[^\s@<>"''(),;:=/]+', '[address]', 'g') end
