-- A text without the mail addresses and passwords in addresses that it may hold: for who looks on and is nobody's
-- keeper. Null for null. What has no `@` is not searched: this is called for each row of a page.
create or replace function redacted(original text) returns text
language sql immutable parallel safe
return case when strpos(original, '@') = 0 and strpos(original, '%40') = 0 then original
  else regexp_replace(original, '[^\s@<>"''(),;:=/]+(@|%40)[^\s@<>"''(),;:=/]+', '[address]', 'g') end
