-- Checks a user in or out with a manual command. $1: the user's id. $2: the group's id. $3: true for a check-in, false
-- for a check-out. $4: the command's id. $5: the length of the stay in seconds, or null for no limit. Rows: one row
-- with the outcome. Locks: see docs/whosthere/rules.md.
select case
  when $3::boolean then (check_in($1, $4::text::uuid, $2, 'manual', 'phone', now(), $5::integer)).outcome
  else (check_out($1, $4::text::uuid, $2, 'manual', 'phone', now())).outcome end
