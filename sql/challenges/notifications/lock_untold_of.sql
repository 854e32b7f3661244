-- Locks the given boards whose ranks have changed since their members were last notified. $1: the ids of the boards.
-- Rows: the id of each locked board. Locks: the publish locks of the boards, in order of id. Index: board_version_pkey.
select challenge_id from board_version
where challenge_id = any ($1) and not is_told
order by challenge_id
for update
