-- Those of the given boards that changed since the last notification of their members, locked against publishing. $1
-- boards. Rows: challenge id. Locks: their publish locks, in order of id. Index: board_version_pkey.
select challenge_id from board_version
where challenge_id = any ($1) and not is_told
order by challenge_id
for update
