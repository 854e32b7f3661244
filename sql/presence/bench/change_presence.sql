-- Checks a user in manually, or out. $1 user, $2 group, $3 true: check in, $4 the command's id, $5 seconds to stay
-- (null: no limit). Rows: one, the outcome. Locks: docs/whosthere/server.md.
select case
  when $3::boolean then (check_in($1, $4::text::uuid, $2, 'manual', 'phone', now(), $5::integer)).outcome
  else (check_out($1, $4::text::uuid, $2, 'manual', 'phone', now())).outcome end
