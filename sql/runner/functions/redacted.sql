-- Replaces mail addresses, and passwords in URLs, with `[address]`, for viewers who may not see personal data. The
-- result is null for null. Texts without `@` and `%40` are returned without a search, because a page calls the function
-- for each row.
create or replace function redacted(original text) returns text
language sql immutable parallel safe
return case when strpos(original, '@') = 0 and strpos(original, '%40') = 0 then original
  else regexp_replace(original, '[^\s@<>"''(),;:=/]+(@|%40)[^\s@<>"''(),;:=/]+', '[address]', 'g') end
