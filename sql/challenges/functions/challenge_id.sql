-- Computes the id of a board, so that every caller uses the same id. A board's id is a version 8 UUID computed from the
-- SHA-256 hash of its type, day and group. The type and the day come first and contain no `/`, so the hashed texts of
-- two boards always differ.
create or replace function challenge_id(group_id text, week_start date, type challenge_type) returns uuid
language sql immutable parallel safe
return (
  select encode(
    set_byte(set_byte(h, 6, (get_byte(h, 6) & 15) | 128), 8, (get_byte(h, 8) & 63) | 128), 'hex'
  )::uuid
  from (
    select substr(sha256(convert_to(
      type || '/' || (week_start - date '1970-01-01') || '/' || group_id, 'UTF8')), 1, 16) as h
  ) digest
)
